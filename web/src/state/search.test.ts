import { expect, it } from 'vitest';

import type { MessageSummary } from '../api/answers.ts';
import { filterByRecipient, filterByTag, findMessages, listRecipients, listTags } from './search.ts';

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
  message(2, { subject: 'Your code', code: '482913' }),
  message(3, { preview: 'Walks through Lisbon', sender_email: 'news@paper.example' }),
];

it.each([
  ['', [1, 2, 3]],
  ['  ', [1, 2, 3]],
  ['jose', [1]],
  ['MULLER lunch', [1]],
  ['4829', [2]],
  ['paper lisbon', [3]],
  ['shop', [1, 2]],
  ['lunch lisbon', []],
])('finds by %j: %j', (query, ids) => {
  expect(findMessages(messages, query, new Set()).map(({ id }) => id)).toEqual(ids);
});

it('finds by recipient, and tells each recipient once', () => {
  const captured = [
    message(1, { recipients: ['Ann@shop.example', 'bob@shop.example'] }),
    message(2, { recipients: ['bob@shop.example'] }),
    message(3, {}),
  ];
  expect(listRecipients(captured)).toEqual(['ann@shop.example', 'bob@shop.example']);
  const idsFor = (recipient: string) => filterByRecipient(captured, recipient).map(({ id }) => id);
  expect(['', 'bob@shop.example', 'ann@shop.example', 'bob'].map(idsFor)).toEqual([
    [1, 2, 3],
    [1, 2],
    [1],
    [],
  ]);
  expect(findMessages(captured, 'ann@', new Set()).map(({ id }) => id)).toEqual([1]);
});

it('finds beside its own what the service has found in the texts', () => {
  expect(findMessages(messages, 'lunch', new Set([3, 9])).map(({ id }) => id)).toEqual([1, 3]);
});

it('leaves the mail with one tag, however that is spelled', () => {
  const tagged = [message(1, { tags: ['Shop'] }), message(2, { tags: ['shop', 'news'] }), message(3, {})];
  expect(listTags(tagged)).toEqual(['news', 'shop']);
  expect(filterByTag(tagged, 'shop').map(({ id }) => id)).toEqual([1, 2]);
  expect(filterByTag(tagged, '').map(({ id }) => id)).toEqual([1, 2, 3]);
});
