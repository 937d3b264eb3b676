import { expect, it } from 'vitest';

import type { MessageSummary } from '../api/answers.ts';
import { filterByRecipient, filterByTag, listRecipients, listTags } from './search.ts';

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
});

it('leaves the mail with one tag, however that is spelled', () => {
  const tagged = [message(1, { tags: ['Shop'] }), message(2, { tags: ['shop', 'news'] }), message(3, {})];
  expect(listTags(tagged)).toEqual(['news', 'shop']);
  expect(filterByTag(tagged, 'shop').map(({ id }) => id)).toEqual([1, 2]);
  expect(filterByTag(tagged, '').map(({ id }) => id)).toEqual([1, 2, 3]);
});
