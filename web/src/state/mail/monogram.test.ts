import { expect, it } from 'vitest';

import { toMonogram } from './monogram.ts';

it('takes the first letter or digit, in capitals', () => {
  expect(toMonogram('brook bank', 'x@b.example').letter).toBe('B');
  expect(toMonogram('「楽しい通販」', '').letter).toBe('楽');
  expect(toMonogram('', 'nora@lindqvist.example').letter).toBe('N');
  expect(toMonogram('!?', '').letter).toBe('?');
  expect(toMonogram('𝒜lice', '').letter).toHaveLength(2);
});

it('gives the senders of one domain one tone, of the eight that there are', () => {
  const toneOf = (email: string): number => toMonogram('', email).tone;
  expect(toneOf('a@b.example')).toBe(toneOf('c@B.example'));
  const seen = new Set(Array.from({ length: 200 }, (_, at) => toneOf(`a@shop${at}.example`)));
  expect([...seen].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
