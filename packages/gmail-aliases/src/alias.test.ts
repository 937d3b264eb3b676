import { describe, expect, it } from 'vitest';

import { type Address, parseMailbox } from '../../mail-receiver/src/address.ts';
import {
  type AliasBase,
  isOwnSpelling,
  parseAliasBase,
  reachesAccount,
  toAliasKey,
  toPlusAlias,
} from './alias.ts';

function base(email: string): AliasBase {
  const parsed = parseAliasBase(email);
  if (!parsed) throw new Error(`${email} is no base.`);
  return parsed;
}

function address(text: string): Address {
  const parsed = parseMailbox(text);
  if (!parsed) throw new Error(`${text} is no address.`);
  return parsed;
}

const gmail = base('Quiet.Fox@Gmail.com');
const other = base('quiet.fox@mail.test');

describe('parseAliasBase', () => {
  it('takes the account’s own spelling in lower case', () => {
    expect(gmail).toEqual({ localPart: 'quiet.fox', domain: 'gmail.com', isGmail: true });
    expect(base('a@googlemail.com')).toEqual({ localPart: 'a', domain: 'googlemail.com', isGmail: true });
    expect(other).toEqual({ localPart: 'quiet.fox', domain: 'mail.test', isGmail: false });
    expect(base(`${'a'.repeat(52)}@mail.test`).localPart).toHaveLength(52);
  });

  it.each([
    ...[
      '',
      'fox',
      '@gmail.com',
      'fox@',
      'fox+tag@gmail.com',
      '"fox"@gmail.com',
      'a..b@gmail.com',
      '.a@gmail.com',
    ],
    ...[
      'a@[127.0.0.1]',
      'f\u00f6x@gmail.com',
      'fox@gmail.com\r\n',
      'a b@gmail.com',
      `${'a'.repeat(53)}@mail.test`,
    ],
    `a@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(63)}.test`,
  ])('refuses %j', (email) => {
    expect(parseAliasBase(email)).toBeUndefined();
  });
});

describe('toAliasKey', () => {
  it.each([
    ['Q.uietFox@GMAIL.com', 'q.uietfox@gmail.com'],
    ['q.uietfox@googlemail.com', 'q.uietfox@gmail.com'],
    ['quiet.fox+A.b@googlemail.com', 'quiet.fox+a.b@gmail.com'],
    ['Fox+Tag@mail.test', 'fox+tag@mail.test'],
    ['fox@googlemail.com.test', 'fox@googlemail.com.test'],
  ])('reads %s as %s', (text, key) => {
    expect(toAliasKey(address(text))).toBe(key);
  });

  it('leaves letters beyond ASCII alone, some of which have an ASCII letter for their lower case', () => {
    expect(toAliasKey({ localPart: '\u212aate', domain: 'gmail.com' })).toBe('\u212aate@gmail.com');
  });
});

describe('reachesAccount', () => {
  it.each([
    ...[
      'quietfox@gmail.com',
      'q.u.i.e.t.f.o.x@googlemail.com',
      'QUIETFOX+x.y@gmail.com',
      'quiet.fox@gmail.com',
    ],
  ])('holds for %s', (text) => {
    expect(reachesAccount(gmail, address(text))).toBe(true);
  });

  it.each(['quietfo@gmail.com', 'quietfox@gmail.com.test', 'quietfox@mail.test', 'x+quietfox@gmail.com'])(
    'does not for %s',
    (text) => {
      expect(reachesAccount(gmail, address(text))).toBe(false);
    },
  );

  it('takes dots for letters elsewhere than at Gmail', () => {
    expect(reachesAccount(other, address('Quiet.Fox+tag@mail.test'))).toBe(true);
    expect(reachesAccount(other, address('quietfox@mail.test'))).toBe(false);
    expect(reachesAccount(other, address('quiet.fox@gmail.com'))).toBe(false);
  });
});

describe('isOwnSpelling', () => {
  it('is the account’s own and the one without dots, in any case, under both domains', () => {
    for (const text of ['quiet.fox@gmail.com', 'QuietFox@googlemail.com', 'Quiet.Fox@googlemail.com']) {
      expect(isOwnSpelling(gmail, address(text))).toBe(true);
    }
    for (const text of ['q.uietfox@gmail.com', 'quiet.fox+tag@gmail.com', 'quiet.fox@mail.test']) {
      expect(isOwnSpelling(gmail, address(text))).toBe(false);
    }
  });

  it('is the account’s own alone elsewhere', () => {
    expect(isOwnSpelling(other, address('QUIET.fox@mail.test'))).toBe(true);
    expect(isOwnSpelling(other, address('quietfox@mail.test'))).toBe(false);
  });
});

describe('toPlusAlias', () => {
  it('puts the tag after the account’s own spelling', () => {
    expect(toPlusAlias(gmail, 'tag.x')).toBe('quiet.fox+tag.x@gmail.com');
    expect(toPlusAlias(gmail, 'tag', { isGooglemail: true })).toBe('quiet.fox+tag@googlemail.com');
    expect(toPlusAlias(base('a@googlemail.com'), 'tag')).toBe('a+tag@gmail.com');
    expect(toPlusAlias(other, 'tag', { isGooglemail: true })).toBe('quiet.fox+tag@mail.test');
  });

  it('keeps to 64 octets before the @', () => {
    const long = base(`${'a'.repeat(40)}@gmail.com`);
    expect(toPlusAlias(long, 'b'.repeat(23))).toMatch(/^.{64}@gmail\.com$/);
    expect(toPlusAlias(long, 'b'.repeat(24))).toBeUndefined();
  });
});
