import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { parseMailbox, toAddressKey } from '#mail-receiver/address';
import { createRandom } from '../../../test/support/random.ts';
import { MayflyError } from '../mayfly-error.ts';
import { isReservedLocalPart, parsePrefix, randomLocalPart } from './prefix.ts';

function refusalOf(prefix: string): { code: string; parameter: string | undefined } | undefined {
  try {
    parsePrefix(prefix);
    return undefined;
  } catch (error) {
    if (!(error instanceof MayflyError)) throw error;
    return { code: error.code, parameter: error.parameter };
  }
}

describe('parsePrefix', () => {
  it.each([
    ['a', 'a'],
    ['7', '7'],
    ['quiet-fox', 'quiet-fox'],
    ['a.b_c-d', 'a.b_c-d'],
    ['Quiet.FOX', 'quiet.fox'],
    ['x'.repeat(40), 'x'.repeat(40)],
    ['a-'.repeat(19) + 'ab', 'a-'.repeat(19) + 'ab'],
  ])('takes %s', (text, prefix) => {
    expect(parsePrefix(text)).toBe(prefix);
  });

  it.each([
    '',
    ' ',
    '.',
    '-',
    '_',
    '.fox',
    'fox.',
    '-fox',
    'fox-',
    '_fox',
    'fox_',
    'a..b',
    'a--b',
    'a__b',
    'a.-b',
    'a_.b',
    'quiet fox',
    ' fox',
    'fox\n',
    'fox\r\nRCPT',
    'fox\0',
    'fox+tag',
    'fox@mayfly.test',
    '"fox"',
    'füchse',
    'f\u0301ox',
    '狐',
    '🦊',
    // The Kelvin sign: its lower case is an ASCII k.
    '\u212aate',
    'İstanbul',
    'x'.repeat(41),
    'x'.repeat(1_000_000),
    'a-'.repeat(500_000),
  ])('refuses %.20j as invalid', (text) => {
    expect(refusalOf(text)).toEqual({ code: 'invalid_prefix', parameter: 'prefix' });
  });

  it.each(
    (
      'abuse admin administrator billing hostmaster mailer-daemon no-reply noc noreply postmaster root security ' +
      'ssladmin ssladministrator sslwebmaster support sysadmin usenet uucp webmaster www ' +
      'POSTMASTER Admin aBuSe post.master host-master web_master p.o.s.t.m.a.s.t.e.r MailerDaemon no.reply NOREPLY'
    ).split(' '),
  )('refuses %s as reserved', (text) => {
    expect(refusalOf(text)).toEqual({ code: 'reserved_prefix', parameter: 'prefix' });
  });

  it.each(['admin1', 'my-admin', 'rooted', 'abuser', 'wwww'])(
    'lends %s, which only looks reserved',
    (text) => {
      expect(parsePrefix(text)).toBe(text);
    },
  );

  it('knows a reserved name with a tag, which no prefix has but an alias may', () => {
    expect(isReservedLocalPart('Post.Master+x')).toBe(true);
    expect(isReservedLocalPart('fox+postmaster')).toBe(false);
  });

  it('gives what SMTP takes and looks up under the same key', () => {
    for (const prefix of ['Quiet.FOX', 'x'.repeat(40), 'a-b_c.d']) {
      const address = `${parsePrefix(prefix)}@mayfly.test`;
      expect(toAddressKey(parseMailbox(`${prefix}@MAYFLY.test`)!)).toBe(address);
    }
  });
});

describe('randomLocalPart', () => {
  const draws = 20_000;
  const seed = 20_260_101;
  const random = createRandom(seed);
  const drawn = Array.from({ length: draws }, () => randomLocalPart((count) => random.bytes(count)));
  const letters = [...'abcdefghjkmnpqrstuvwxyz'];
  const all = [...letters, ...'23456789'];

  /** How far the counts are from even, in standard deviations of chi-square. */
  function deviation(characters: readonly string[], allowed: readonly string[]): number {
    const expected = characters.length / allowed.length;
    const chiSquare = allowed.reduce((sum, one) => {
      const count = characters.filter((character) => character === one).length;
      return sum + (count - expected) ** 2 / expected;
    }, 0);
    const freedom = allowed.length - 1;
    return (chiSquare - freedom) / Math.sqrt(2 * freedom);
  }

  it('is a letter and ten of 31 readable characters: 54 bits, without 0/o and 1/l', () => {
    for (const text of drawn) expect(text).toMatch(/^[a-hjkmnp-z][a-hjkmnp-z2-9]{10}$/);
    expect(Math.log2(letters.length * all.length ** 10)).toBeGreaterThan(50);
  });

  it(`draws every character alike at every position (chi-square over ${draws} draws, seed ${seed})`, () => {
    for (let at = 0; at < 11; at++) {
      const column = drawn.map((text) => text[at] ?? '');
      expect(Math.abs(deviation(column, at === 0 ? letters : all))).toBeLessThan(4.5);
    }
  });

  it('never repeats in so many draws', () => {
    expect(new Set(drawn).size).toBe(draws);
    expect(randomLocalPart(randomBytes)).not.toBe(randomLocalPart(randomBytes));
  });

  it('is itself a prefix that is lent', () => {
    for (const text of drawn.slice(0, 1000)) expect(parsePrefix(text)).toBe(text);
  });

  it('asks for more bytes when too many had to be thrown away', () => {
    const high = new Uint8Array(32).fill(255);
    const zeros = new Uint8Array(32);
    const given = [high, high, zeros];
    expect(randomLocalPart(() => given.shift() ?? zeros)).toBe('aaaaaaaaaaa');
  });
});
