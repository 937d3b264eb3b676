import { expect, it } from 'vitest';

import { parseMailQuery } from '#mail-query/mail-query';
import type { ListedMessage } from '../mail/check-mail.ts';
import {
  createMatcher,
  isAnswered,
  isFiltering,
  type MessageFilter,
  type Question,
} from './message-filter.ts';

const listed: ListedMessage = {
  id: 7,
  senderName: 'Ann Other',
  senderEmail: 'ann@shop.example',
  subject: 'Your order\tof today',
  receivedAt: 5000,
  sizeBytes: 100,
  rawSizeBytes: 1,
  isRead: false,
  isSpam: false,
  mailFrom: 'bounce@shop.example',
  recipients: ['Quiet-Fox+Shop@mayfly.test', 'quiet-fox@mayfly.test'],
  tags: ['Shop'],
  preview: 'Thank you',
  code: null,
  hasAttachments: false,
};
const withCode = { ...listed, code: '482913' };

it.each<[MessageFilter, boolean]>([
  [{}, true],
  [{ to: 'fox+shop@' }, true],
  [{ to: 'fox+other@' }, false],
  [{ from: 'ann OTHER <ann@' }, true],
  [{ from: 'bounce@' }, false],
  [{ subject: 'order of' }, true],
  [{ subject: 'orders' }, false],
  [{ tag: 'sHOP' }, true],
  [{ tag: 'sho' }, false],
  [{ since: 5000 }, true],
  [{ since: 5001 }, false],
  [{ hasCode: false }, true],
  [{ hasCode: true }, false],
  [{ query: parseMailQuery(' order  ANN ') }, true],
  [{ contains: 'your order' }, true],
  [{ from: 'ann', subject: 'nothing' }, false],
])('%j by what a list shows: %s', (filter, is) => {
  expect(createMatcher(filter)(listed)).toBe(is);
});

it('a code that the list shows is enough; where the list is not final the message is asked', () => {
  expect(createMatcher({ hasCode: true })(withCode)).toBe(true);
  const provisional: ListedMessage = { ...listed, isProvisional: true };
  expect(createMatcher({ hasCode: true })(provisional)).toEqual({
    parts: [],
    link: undefined,
    codeKind: undefined,
    hasCode: true,
    hasAttachments: false,
  });
});

it('asks the whole message for the kind of its code, if it can have one', () => {
  expect(createMatcher({ codeKind: 'pin' })({ ...listed, code: null })).toBe(false);
  expect(createMatcher({ codeKind: 'pin' })({ ...listed, code: '4829' })).toMatchObject({ codeKind: 'pin' });
  expect(createMatcher({ codeKind: 'quoted' })({ ...listed, code: null })).toMatchObject({
    codeKind: 'quoted',
  });
});

it('asks the whole message for the words that are nowhere else, and for links', () => {
  const question = {
    parts: ['needle'],
    link: 'verify',
    codeKind: undefined,
    hasCode: false,
    hasAttachments: false,
  };
  expect(createMatcher({ query: parseMailQuery('order needle'), link: 'verify' })(listed)).toEqual(question);
  expect(createMatcher({ contains: 'order needle' })(listed)).toMatchObject({ parts: ['order needle'] });
  expect(createMatcher({ query: parseMailQuery('needle'), from: 'bob' })(listed)).toBe(false);
});

it.each<[Partial<Question>, boolean]>([
  [{ link: 'login' }, true],
  [{ link: 'verify' }, false],
  [{ link: 'any' }, true],
  [{ hasCode: true }, false],
  [{ codeKind: 'quoted' }, true],
  [{ codeKind: 'otp' }, false],
])('the answer to %j is %s', (question, is) => {
  const facts = {
    foundParts: [true],
    linkKinds: ['other', 'login'] as const,
    hasCode: false,
    codeKinds: ['quoted'] as const,
    glance: { hasAttachments: true },
  };
  const asked: Question = {
    parts: [],
    link: undefined,
    codeKind: undefined,
    hasCode: false,
    hasAttachments: false,
    ...question,
  };
  expect(isAnswered(asked, facts)).toBe(is);
  expect(isAnswered(asked, { ...facts, foundParts: [true, false] })).toBe(false);
});

it('a link to leave a list is none of those that can be asked for', () => {
  const facts = {
    foundParts: [],
    linkKinds: ['unsubscribe', 'invite', 'other'] as const,
    hasCode: false,
    codeKinds: [],
    glance: null,
  };
  const asked = {
    parts: [],
    link: 'any',
    codeKind: undefined,
    hasCode: false,
    hasAttachments: false,
  } as const;
  expect(isAnswered(asked, facts)).toBe(false);
});

it('knows a filter that lets everything through', () => {
  expect(isFiltering({})).toBe(false);
  expect(isFiltering({ to: undefined, hasCode: false })).toBe(false);
  expect(isFiltering({ hasCode: true })).toBe(true);
  expect(isFiltering({ since: 0 })).toBe(true);
});
