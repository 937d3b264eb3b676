import { expect, it } from 'vitest';

import { parsePassword, passwordMaxBytes } from './password.ts';

it.each(['x', ' two  spaces ', 'Ünïcode', '🦊'.repeat(passwordMaxBytes / 4), 'a'.repeat(passwordMaxBytes)])(
  'takes %j as it is',
  (password) => {
    expect(parsePassword(password)).toBe(password);
  },
);

it('is the same however its letters are composed', () => {
  expect(parsePassword('Zoe\u0308')).toBe(parsePassword('Zo\u00eb'));
  // Compatibility forms and letter case make a difference.
  expect(parsePassword('\ufb01')).not.toBe(parsePassword('fi'));
  expect(parsePassword('A')).not.toBe(parsePassword('a'));
});

it('counts its bytes after normalisation', () => {
  const composed = 'e\u0301'.repeat(passwordMaxBytes / 2);
  expect(Buffer.byteLength(composed)).toBeGreaterThan(passwordMaxBytes);
  expect(Buffer.byteLength(parsePassword(composed))).toBe(passwordMaxBytes);
});

it.each([
  '',
  'a'.repeat(passwordMaxBytes + 1),
  '🦊'.repeat(passwordMaxBytes / 4) + '.',
  'a\nb',
  'a\u0000b',
  '\ud800',
  'x'.repeat(1e7),
])('refuses %.20j', (password) => {
  expect(() => parsePassword(password)).toThrow(expect.objectContaining({ parameter: 'password' }));
});
