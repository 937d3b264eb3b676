import { describe, expect, it } from 'vitest';

import { type AliasBase, parseAliasBase } from './alias.ts';
import { countDotNumbers, countDotVariants, toDotVariant } from './dot-variant.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

const key = Buffer.alloc(32, 'key');
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

function base(localPart: string, domain = 'gmail.com'): AliasBase {
  const parsed = parseAliasBase(`${localPart}@${domain}`);
  if (!parsed) throw new Error(`${localPart} is no base.`);
  return parsed;
}

function variants(account: AliasBase, count: number): string[] {
  const all = Array.from({ length: count }, (_, number) => toDotVariant(account, key, number));
  return all.filter((variant) => variant !== undefined);
}

/** RFC 5321 §4.1.2, for these letters. */
const dotString = /^[a-z0-9]+(?:\.[a-z0-9]+)*$/;

describe('dot variants', () => {
  it.each(Array.from({ length: 14 }, (_, at) => at + 1))(
    "for %d letters are every spelling but the account's own, each once",
    (length) => {
      const account = base(alphabet.slice(0, length));
      const all = variants(account, countDotNumbers(account));
      expect(countDotNumbers(account)).toBe(2 ** (length - 1));
      expect(all).toHaveLength(2 ** (length - 1) - 1);
      expect(all).toHaveLength(countDotVariants(account));
      expect(new Set(all).size).toBe(all.length);
      for (const variant of all) {
        expect(variant).toMatch(dotString);
        expect(variant.replaceAll('.', '')).toBe(account.localPart);
        expect(variant).not.toBe(account.localPart);
      }
    },
  );

  it.each(Array.from({ length: 16 }, (_, at) => at + 15))(
    'for %d letters are unique, and found without a list',
    (length) => {
      const account = base(alphabet.slice(0, length));
      let some: string[] = [];
      expect(cpuMsOf(() => (some = variants(account, 1000)))).toBeLessThan(5000);
      expect(countDotVariants(account)).toBe(2 ** (length - 1) - 1);
      expect(some.length).toBeGreaterThanOrEqual(999);
      expect(new Set(some).size).toBe(some.length);
      for (const variant of some) {
        expect(variant).toMatch(dotString);
        expect(variant.replaceAll('.', '')).toBe(account.localPart);
      }
      // Counting would put the dots of the first thousand into ten gaps at one end.
      expect(some.some((variant) => variant.startsWith('a.'))).toBe(true);
      expect(some.some((variant) => variant.endsWith(`.${account.localPart.at(-1) ?? ''}`))).toBe(true);
    },
  );

  it('leave out the account’s own dots as well as the spelling without', () => {
    const account = base('a.bc.d');
    const all = variants(account, countDotNumbers(account));
    expect(countDotVariants(account)).toBe(6);
    expect(all.sort()).toEqual(['a.b.c.d', 'a.b.cd', 'a.bcd', 'ab.c.d', 'ab.cd', 'abc.d']);
  });

  it('are none for one letter, and for two with a dot between', () => {
    for (const localPart of ['a', 'a.b']) {
      const account = base(localPart);
      expect(countDotVariants(account)).toBe(0);
      expect(variants(account, 10)).toEqual([]);
    }
    expect(variants(base('ab'), 2)).toEqual(['a.b']);
  });

  it('begin anew when all have been given', () => {
    const account = base('abcde');
    const numbers = countDotNumbers(account);
    for (let number = 0; number < numbers; number++) {
      expect(toDotVariant(account, key, number + 3 * numbers)).toBe(toDotVariant(account, key, number));
    }
  });

  it('never pass 64 octets, however long the account’s name is', () => {
    for (const length of [32, 33, 40, 52]) {
      const account = base('a'.repeat(length));
      expect(countDotVariants(account)).toBe(2 ** Math.min(length - 1, 64 - length) - 1);
      for (const variant of variants(account, 300)) expect(variant.length).toBeLessThanOrEqual(64);
    }
    // Dots of its own beyond the gaps that are used: no variant is that spelling.
    const dotted = base(`${'a'.repeat(50)}.b`);
    expect(countDotVariants(dotted)).toBe(2 ** 13 - 1);
  });

  it('are there at Gmail alone', () => {
    const account = base('abc', 'mail.test');
    expect(countDotVariants(account)).toBe(0);
    expect(variants(account, 10)).toEqual([]);
    expect(countDotVariants(base('abc', 'googlemail.com'))).toBe(3);
  });

  it('come in another order under another key', () => {
    const account = base('abcdefghij');
    const others = Array.from({ length: 100 }, (_, number) =>
      toDotVariant(account, Buffer.alloc(32), number),
    );
    expect(variants(account, 100)).not.toEqual(others);
  });
});
