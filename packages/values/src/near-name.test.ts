import { describe, expect, it } from 'vitest';

import { createRandom } from '../../../test/support/random.ts';
import { countEdits, findNearName, isWithinEdits } from './near-name.ts';

describe('countEdits', () => {
  it.each([
    ['prefix', 'prefix', 0],
    ['prefx', 'prefix', 1],
    ['perfix', 'prefix', 1],
    ['preefixx', 'prefix', 2],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
  ])('%s and %s differ by %i', (one, other, count) => {
    expect(countEdits(one, other)).toBe(count);
    expect(countEdits(other, one)).toBe(count);
  });
});

describe('findNearName', () => {
  const known = ['prefix', 'lifetime', 'use_gmail', 'gmail_auto'];

  it('returns the nearest name within the number of edits', () => {
    expect(findNearName('prefx', known, 2)).toBe('prefix');
    expect(findNearName('use_gmal', known, 2)).toBe('use_gmail');
    expect(findNearName('life_tmie', known, 2)).toBe('lifetime');
  });

  it('returns undefined for a name that is near none', () => {
    expect(findNearName('colour', known, 2)).toBeUndefined();
    expect(findNearName('x', [], 2)).toBeUndefined();
  });
});

/** The whole table, by the book. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? Infinity;
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      (table[i] as number[])[j] = Math.min(
        at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
      );
    }
  }
  return at(one.length, other.length);
}

describe('isWithinEdits', () => {
  it.each([
    ['quiet-fox', 'quiet-fox', 0],
    ['qiet-fox', 'quiet-fox', 1],
    ['quiet-foxx', 'quiet-fox', 1],
    ['quiet-fix', 'quiet-fox', 1],
    ['qiuet-fox', 'quiet-fox', 1],
    ['qiet-foxx', 'quiet-fox', 2],
    ['quiet-fo', 'uiet-fox', 2],
    ['', 'ab', 2],
  ])('takes %s for %s with %i', (one, other, edits) => {
    expect(isWithinEdits(one, other, edits)).toBe(true);
    if (edits > 0) expect(isWithinEdits(one, other, edits - 1)).toBe(false);
  });

  it('agrees with the whole table', () => {
    const random = createRandom(7);
    const word = (): string =>
      Array.from({ length: random.below(9) }, () => random.pick(['a', 'b', 'c'])).join('');
    for (let count = 0; count < 3000; count++) {
      const [one, other] = [word(), word()];
      for (const edits of [0, 1, 2, 3]) {
        expect(isWithinEdits(one, other, edits), `${one} ${other} ${edits}`).toBe(
          distance(one, other) <= edits,
        );
      }
    }
  });
});
