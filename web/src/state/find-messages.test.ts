import { expect, it } from 'vitest';

import type { MessageSummary } from '../api/answers.ts';
import { findMessages, markHits, toHits } from './find-messages.ts';

function message(id: number, changes: Partial<MessageSummary>): MessageSummary {
  return {
    id,
    sender_name: '',
    sender_email: 'a@shop.example',
    subject: '',
    received_at: '2026-03-01 12:00:00',
    size: 1,
    has_attachments: false,
    is_read: false,
    preview: '',
    code: null,
    ...changes,
  };
}

const messages = [
  message(1, { sender_name: 'José Müller', subject: 'Lunch' }),
  message(2, { subject: 'Your code', code: '482913', is_read: true }),
  message(3, {
    preview: 'Walks through Lisbon',
    sender_email: 'news@paper.example',
    has_attachments: true,
    recipients: ['me+news@a.example'],
  }),
];

function find(
  text: string,
  byText: readonly number[] = [],
  openId: number | null = null,
): readonly MessageSummary[] {
  return findMessages(messages, { text, byText: new Set(byText), openId });
}

it.each([
  ['', [1, 2, 3]],
  ['  ', [1, 2, 3]],
  ['jose', [1]],
  ['MULLER lunch', [1]],
  ['4829', [2]],
  ['paper lisbon', [3]],
  ['shop', [1, 2]],
  ['lunch lisbon', []],
  ['from:müller', [1]],
  ['from:"jose mu"', [1]],
  ['subject:code is:read', [2]],
  ['is:unread', [1, 3]],
  ['has:code', [2]],
  ['has:attachment lisbon', [3]],
  ['to:+news', [3]],
  ['from:shop is:unread', [1]],
  ['from:', [1, 2, 3]],
  ['shop has:co', [1, 2]],
  ['"walks through"', [3]],
  ['"through walks"', []],
])('finds by %j: %j', (query, ids) => {
  expect(find(query).map(({ id }) => id)).toEqual(ids);
});

it('finds beside its own what the service has found in the texts', () => {
  expect(find('lunch', [3, 9]).map(({ id }) => id)).toEqual([1, 3]);
  // The open message was marked by reading it.
  expect(find('is:unread', [], 2).map(({ id }) => id)).toEqual([1, 2, 3]);
  // Marked read meanwhile.
  expect(find('heron is:unread', [2, 3]).map(({ id }) => id)).toEqual([3]);
});

it.each([
  ['José Müller', 'muller', ['José ', '*Müller']],
  ['one two one', 'one', ['*one', ' two ', '*one']],
  ['ﬁne print', 'fi', ['*ﬁ', 'ne print']],
  ['from the shop', 'from:shop is:unread', ['from the ', '*shop']],
  ['aaa', 'a aa', ['*aa', '*a']],
  ['nothing', 'x', ['nothing']],
  ['', 'x', []],
  ['İstanbul', 'stan', ['İ', '*stan', 'bul']],
])('marks in %j by %j', (text, query, pieces) => {
  const marked = markHits(text, toHits(query));
  expect(marked.map((piece) => (piece.isHit ? '*' : '') + piece.text)).toEqual(pieces);
  expect(marked.map((piece) => piece.text).join('')).toBe(text);
});
