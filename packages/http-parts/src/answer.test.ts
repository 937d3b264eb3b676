import { expect, it } from 'vitest';

import { stringifyWellFormed } from './answer.ts';

it('replaces lone surrogates and nothing else', () => {
  const value = { a: '\ud800x', b: ['😀\udc00'], c: '\\ud800 written out', d: '\u0000' };
  expect(JSON.parse(stringifyWellFormed(value))).toEqual({
    a: '\ufffdx',
    b: ['😀\ufffd'],
    c: '\\ud800 written out',
    d: '\u0000',
  });
});
