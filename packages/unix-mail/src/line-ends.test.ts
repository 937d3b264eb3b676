import { expect, it } from 'vitest';

import { toCrLf } from './sendmail-message.ts';

it.each([
  ['a\nb', 'a\r\nb'],
  ['a\r\nb\r\n', 'a\r\nb\r\n'],
  [`a${'\r'.repeat(20)}\nb\rc`, 'a\r\nb\rc'],
  ['\r\r', '\r\r'],
])('ends each line of %j with CR LF', (text, expected) => {
  expect(toCrLf(text)).toBe(expected);
});
