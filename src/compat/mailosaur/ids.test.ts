import { expect, it } from 'vitest';
import { parseAttachmentId, parseMessageId, toAttachmentId, toMessageId } from './ids.ts';
import { toServerId } from './server-id.ts';

const notFound = expect.objectContaining({ code: 'not_found', parameter: 'id' });

it('reads back what it wrote', () => {
  expect(parseMessageId(toMessageId('abcdefgh', 12), 'abcdefgh')).toBe(12);
  expect(parseAttachmentId(toAttachmentId('abcdefgh', 12, '2.1'), 'abcdefgh')).toEqual({
    id: 12,
    part: '2.1',
  });
});

it.each([
  '',
  '12',
  'abcdefgh',
  'abcdefgh-',
  'abcdefgh-0',
  'abcdefgh-x',
  'zzzzzzzz-12',
  '../12',
  'abcdefgh-1e3',
  'abcdefgh-12-2',
])('finds no message by %j', (text) => {
  expect(() => parseMessageId(text, 'abcdefgh')).toThrow(notFound);
});

it.each(['', 'abcdefgh-12', 'zzzzzzzz-12-2', 'abcdefgh-12-x', 'abcdefgh-12-../2'])(
  'finds no attachment by %j',
  (text) => {
    expect(() => parseAttachmentId(text, 'abcdefgh')).toThrow(notFound);
  },
);

it('takes a label as the server, and makes one of eight characters for an address', () => {
  const key = new Uint8Array(16).fill(7) as Parameters<typeof toServerId>[0]['key'];
  expect(toServerId({ address: '*@abcdefgh.mayfly.test', key })).toBe('abcdefgh');
  const made = toServerId({ address: 'quiet-fox@mayfly.test', key });
  expect(made).toMatch(/^[a-hjkmnp-z2-9]{8}$/);
  expect(toServerId({ address: 'quiet-fox@mayfly.test', key })).toBe(made);
});
