// Mailboxes of address fields. Above all, no address is ever made out of a display name (THREATS M5).
import { describe, expect, it } from 'vitest';
import { makeAddresses } from '../../../../test/support/mail/fuzz-header.ts';
import { createRandom, fuzzSeed } from '../../../../test/support/random.ts';
import { trimAscii } from '../text/clean-text.ts';
import { parseMailboxes, readSoleAddress, toAddrSpec } from './header-address.ts';
import { readSummary } from './summary.ts';

const parse = (value: string, limit = 10) => parseMailboxes(Buffer.from(value).toString('latin1'), limit);
const pairs = (value: string): string[] => parse(value).map(({ name, email }) => `${name}|${email}`);

describe('parseMailboxes', () => {
  it.each([
    ['a@b.c', ['|a@b.c']],
    ['Ann <a@b.c>', ['Ann|a@b.c']],
    ['"Lee, Ann \\"x\\"" <a@b.c>', ['Lee, Ann "x"|a@b.c']],
    ['Lee, Ann <a@b.c>', ['Lee, Ann|a@b.c']],
    ['a@b.c (Ann (nested) Lee)', ['Ann (nested) Lee|a@b.c']],
    ['Team: a@b.c, Bo <d@e.f>; g@h.i', ['|a@b.c', 'Bo|d@e.f', '|g@h.i']],
    ['undisclosed-recipients:;', []],
    ['<@relay,@other:user@host.example>', ['|user@host.example']],
    ['john . doe @ example . com', ['|john.doe@example.com']],
    ['"a b"@c.d', ['|"a b"@c.d']],
    ['user@[IPv6:2001:db8::1]', ['|user@[IPv6:2001:db8::1]']],
    ['jürgen@müller.example', ['|jürgen@müller.example']],
    ['=?utf-8?Q?Doe,_J=C3=BC?= <j@x.y>', ['Doe, Jü|j@x.y']],
    ['"=?utf-8?B?SsO8cmdlbg==?=" <a@b.c>', ['Jürgen|a@b.c']],
    ['a@b.c (Nicolà)', ['Nicolà|a@b.c']],
    ['Nicolà <a@b.c>', ['Nicolà|a@b.c']],
    ['John Doe john@x.y', ['John Doe|john@x.y']],
    ['root (Cron Daemon)', ['Cron Daemon|']],
    ['"root" (Cron Daemon)', ['Cron Daemon|']],
    ['<root> (Cron Daemon)', ['Cron Daemon|']],
    ['root@localhost (Cron Daemon)', ['Cron Daemon|root@localhost']],
    ['(Cron Daemon) root', ['Cron Daemon|']],
    ['Ann Lee (Sales)', ['Ann Lee|']],
    ['root', ['root|']],
    ['<<a@b.c>>', ['|a@b.c']],
    ['<>', ['|']],
    ['', []],
    [' , ; ,', []],
  ])('reads %s', (value, mailboxes) => {
    expect(pairs(value)).toEqual(mailboxes);
  });

  it.each([
    ['=?utf-8?q?admin=40victim.com=3E?= <a@b.c>', ['admin@victim.com>|a@b.c']],
    ['=?utf-8?q?=3Cadmin=40victim.com=3E?=', ['<admin@victim.com>|']],
    ['=?utf-8?q?admin@victim.com?=', ['admin@victim.com|']],
    ['=?utf-8?q?x?=@victim.com', ['x@victim.com|']],
    ['"admin@victim.com"', ['admin@victim.com|']],
    ['"admin@victim.com" <a@b.c>', ['admin@victim.com|a@b.c']],
    ['"a@evil x"@us.example', ['|"a@evil x"@us.example']],
    ['<a@b.c>d@e.f', ['d@e.f|a@b.c']],
    ['a@b@c', ['a@b@c|']],
    ['<a b@c.d>', ['|']],
    ['"open <a@b.c>', ['open <a@b.c>|']],
    ['(open <a@b.c>', ['open <a@b.c>|']],
    ['<a@b.c\x01>', ['|']],
  ])('M5: invents no address from %s', (value, mailboxes) => {
    expect(pairs(value)).toEqual(mailboxes);
  });

  it('removes characters from names that would reorder the address after it', () => {
    expect(pairs('"a\u202eb\u2066c" <x@evil.test>')).toEqual(['abc|x@evil.test']);
    expect(pairs('=?utf-8?q?a=E2=80=AEb?= <x@evil.test>')).toEqual(['ab|x@evil.test']);
    expect(pairs('\u05d0\u200f\u05d1 <x@evil.test>')).toEqual(['\u05d0\u200f\u05d1|x@evil.test']);
  });

  it('accepts no address with invisible characters', () => {
    for (const unseen of ['\u200b', '\u202e', '\u2066', '\u00ad', '\ufeff', '\u{e0041}']) {
      expect(pairs(`<x@evil${unseen}.test>`)).toEqual(['|']);
    }
  });

  it('returns no address rather than a cut one beyond 320 characters', () => {
    expect(toAddrSpec(`${'a'.repeat(64)}@${'b'.repeat(251)}.com`)).toHaveLength(320);
    expect(toAddrSpec(`${'a'.repeat(65)}@${'b'.repeat(252)}.com`)).toBe('');
  });

  it('stops at the limit', () => {
    expect(parse('a@b.c, '.repeat(50), 3)).toHaveLength(3);
    expect(parse('word, '.repeat(50), 3)).toHaveLength(3);
  });

  it('M2: takes 10^5 nested groups and comments in one pass', () => {
    expect(parse('g:'.repeat(100_000) + 'a@b.c;')).toEqual([{ name: '', email: 'a@b.c' }]);
    expect(parse('a@b.c ' + '('.repeat(100_000))[0]?.email).toBe('a@b.c');
    expect(parse('<'.repeat(100_000))).toEqual([{ name: '', email: '' }]);
  });
});

describe('readSoleAddress', () => {
  const seed = fuzzSeed();

  it(`returns only a sole address that the other readers of the value find (FUZZ_SEED=${seed})`, () => {
    const random = createRandom(seed);
    let soles = 0;
    for (let at = 0; at < 20_000; at++) {
      const value = trimAscii(Buffer.from(makeAddresses(random)).toString('latin1').replace(/\r?\n/g, ''));
      const sole = readSoleAddress(value);
      const [first] = parseMailboxes(value, 1);
      const { senderEmail } = readSummary(Buffer.from(`From: ${value}\r\n\r\n`, 'latin1'));
      expect(senderEmail, value).toBe(value.length > 16_000 ? senderEmail : (first?.email ?? ''));
      if (sole === undefined) continue;
      soles++;
      expect([first?.email, parseMailboxes(value, 9).length], value).toEqual([sole, 1]);
    }
    expect(soles).toBeGreaterThan(1000);
  });
});
