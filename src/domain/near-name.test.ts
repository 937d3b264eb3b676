import { describe, expect, it } from 'vitest';

import { countEdits, findNearName } from './near-name.ts';

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
