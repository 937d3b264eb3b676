import { expect, it } from 'vitest';

import { type ParsedMessage, parseMessage } from '@mayfly/mail-reader';
import { weighParsed } from './read-mail.ts';

const bare = parseMessage(Buffer.from('a: b\r\n\r\n'));

it.each<[string, Partial<ParsedMessage>]>([
  ['text', { text: 'x'.repeat(100_000) }],
  ['html', { html: 'x'.repeat(100_000) }],
  ['a header', { headers: [...bare.headers, { name: 'x', value: 'x'.repeat(100_000) }] }],
  [
    'a link',
    {
      links: [{ url: `https://a.example/${'x'.repeat(100_000)}`, text: '', kind: 'other', clickable: true }],
    },
  ],
  ['a recipient', { to: [{ name: 'x'.repeat(100_000), email: '' }] }],
])('counts %s at two bytes a character', (_name, part) => {
  expect(weighParsed({ ...bare, ...part }) - weighParsed(bare)).toBeGreaterThanOrEqual(200_000);
});

it('counts many small entries, and something for nothing', () => {
  const headers = Array.from({ length: 2000 }, () => ({ name: '', value: '' }));
  expect(weighParsed({ ...bare, headers })).toBeGreaterThan(200_000);
  expect(weighParsed(bare)).toBeGreaterThan(1000);
});
