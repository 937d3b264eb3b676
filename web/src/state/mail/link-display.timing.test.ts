import { expect, it } from 'vitest';

import { toTextPieces } from './link-display.ts';

/** Any single run can be slow on a busy machine; one that is not linear is slow each time. */
const attempts = 50;
/** For eight times the text; quadratic time would be 64. */
const ratioMax = 24;

it('plain text takes time in proportion to its length', () => {
  const timeOf = (count: number): number => {
    const text = 'http://a.b/c?d='.repeat(count);
    const startedAt = performance.now();
    toTextPieces(text);
    return performance.now() - startedAt;
  };
  let [short, long] = [Infinity, Infinity];
  for (let count = 0; count < attempts && !(long / Math.max(0.5, short) < ratioMax); count++) {
    short = Math.min(short, timeOf(8_000));
    long = Math.min(long, timeOf(64_000));
  }
  expect(long / Math.max(0.5, short)).toBeLessThan(ratioMax);
});
