import { describe, expect, it } from 'vitest';

import { permute } from './permute.ts';

const key = Buffer.alloc(32, 'key');

function permuteAll(bits: number, secret: Uint8Array = key): number[] {
  return Array.from({ length: 2 ** bits }, (_, number) => permute({ key: secret, bits }, number));
}

describe('permute', () => {
  it.each([0, 1, 2, 3, 4, 5, 8, 9, 13])('gives every number of %d bits once', (bits) => {
    const permuted = permuteAll(bits);
    expect(new Set(permuted).size).toBe(2 ** bits);
    expect(Math.min(...permuted)).toBe(0);
    expect(Math.max(...permuted)).toBe(2 ** bits - 1);
  });

  it.each([29, 31, 32])('stays below 2^%d, and gives the first thousand all different', (bits) => {
    const permuted = Array.from({ length: 1000 }, (_, number) => permute({ key, bits }, number));
    const last = permute({ key, bits }, 2 ** bits - 1);
    expect(new Set([...permuted, last]).size).toBe(1001);
    for (const number of permuted) expect(number >= 0 && number < 2 ** bits).toBe(true);
    // Not one after the other: about half of them lie in the upper half.
    const upper = permuted.filter((number) => number >= 2 ** (bits - 1)).length;
    expect(upper).toBeGreaterThan(400);
    expect(upper).toBeLessThan(600);
  });

  it('depends on the key', () => {
    const others = permuteAll(10, Buffer.alloc(32));
    const same = permuteAll(10).filter((number, at) => number === others[at]);
    expect(same.length).toBeLessThan(20);
    expect(permuteAll(10)).toEqual(permuteAll(10, Buffer.alloc(32, 'key')));
  });

  it('refuses what has more bits', () => {
    for (const number of [8, -1, 0.5, NaN, Infinity]) {
      expect(() => permute({ key, bits: 3 }, number)).toThrow(RangeError);
    }
  });
});
