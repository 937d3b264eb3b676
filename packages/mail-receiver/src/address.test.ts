import { describe, expect, it } from 'vitest';

import { ownDomainMaxOctets, parseDomainName, parseMailbox, parseSender, toAddressKey } from './address.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

const label63 = 'd'.repeat(63);
/** A domain of exactly so many octets, in labels of at most 63. */
function domainOf(octets: number): string {
  const labels = `${`${label63}.`.repeat(4)}`.slice(0, octets);
  return labels.endsWith('.') ? `${labels.slice(0, -2)}.d` : labels;
}

describe('parseDomainName', () => {
  it.each([
    ['mayfly.test', 'mayfly.test'],
    ['MayFly.TEST', 'mayfly.test'],
    ['mayfly.test.', 'mayfly.test'],
    ['localhost', 'localhost'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['_dmarc.example.org', '_dmarc.example.org'],
    ['1and1.com', '1and1.com'],
    ['123456789012', '123456789012'],
    ['1.2.3.example', '1.2.3.example'],
    [`${label63}.org`, `${label63}.org`],
  ])('takes %s', (text, name) => {
    expect(parseDomainName(text)).toBe(name);
  });

  it.each([
    '',
    '.',
    '..',
    '.mayfly.test',
    'mayfly..test',
    'mayfly.test..',
    '-mayfly.test',
    'mayfly-.test',
    'may fly.test',
    'mayfly.test\n',
    'mayfly.test/x',
    'mayfly.test:25',
    '*.mayfly.test',
    'a@mayfly.test',
    '127.0.0.1',
    '[127.0.0.1]',
    '[::1]',
    '::1',
    'bücher.example',
    // The Kelvin sign and the dotless i, whose lower or upper case is an ASCII letter.
    '\u212aite.test',
    'ma\u0131l.test',
    `${label63}d.org`,
  ])('refuses %j', (text) => {
    expect(parseDomainName(text)).toBeUndefined();
  });

  it('takes 255 octets and refuses 256', () => {
    expect(domainOf(255)).toHaveLength(255);
    expect(parseDomainName(domainOf(255))).toBe(domainOf(255));
    expect(parseDomainName(`${domainOf(255)}.`)).toBe(domainOf(255));
    expect(parseDomainName(domainOf(256))).toBeUndefined();
  });
});

describe('parseMailbox', () => {
  it.each([
    ['fox@mayfly.test', 'fox', 'mayfly.test'],
    ['Quiet.Fox@MayFly.TEST', 'Quiet.Fox', 'mayfly.test'],
    ["o'neil+tag/x=1!#$%&*?^`{|}~-@a.b", "o'neil+tag/x=1!#$%&*?^`{|}~-", 'a.b'],
    ['"quiet fox"@mayfly.test', 'quiet fox', 'mayfly.test'],
    ['"fox"@mayfly.test', 'fox', 'mayfly.test'],
    ['"a@b"@mayfly.test', 'a@b', 'mayfly.test'],
    ['"a\\"b\\\\c\\d"@mayfly.test', 'a"b\\cd', 'mayfly.test'],
    ['".a..b."@mayfly.test', '.a..b.', 'mayfly.test'],
    ['""@mayfly.test', '', 'mayfly.test'],
    ['fox@[192.0.2.1]', 'fox', '[192.0.2.1]'],
    ['fox@[IPv6:2001:DB8::1]', 'fox', '[ipv6:2001:db8::1]'],
  ])('takes %s', (text, localPart, domain) => {
    expect(parseMailbox(text)).toEqual({ localPart, domain });
  });

  it.each([
    '',
    '@',
    'fox',
    'fox@',
    '@mayfly.test',
    '.fox@mayfly.test',
    'fox.@mayfly.test',
    'quiet..fox@mayfly.test',
    'quiet fox@mayfly.test',
    'a@b@mayfly.test',
    'a,b@mayfly.test',
    'a(c)@mayfly.test',
    '<fox@mayfly.test>',
    '"fox@mayfly.test',
    'fox"@mayfly.test',
    '"fo"x"@mayfly.test',
    '"fox\\"@mayfly.test',
    '"@mayfly.test',
    '"a\rb"@mayfly.test',
    '"a\\\nb"@mayfly.test',
    '"a\0b"@mayfly.test',
    '"a\x7fb"@mayfly.test',
    'füchse@mayfly.test',
    '"füchse"@mayfly.test',
    'fox@bücher.example',
    'fox@-mayfly.test',
    'fox@127.0.0.1',
    'fox@[127.0.0.1',
    'fox@[]',
    'fox@[a b]',
    'fox@[999.1.1.1]',
    'fox@[1.2.3]',
    'fox@[1.2.3.4.5]',
    'fox@[192.0.2.01]',
    'fox@[IPv6:2001:db8::1::2]',
    'fox@[IPv6:fe80::1%eth0]',
    'fox@[2001:db8::1]',
    'fox@[x400:anything]',
  ])('refuses %j', (text) => {
    expect(parseMailbox(text)).toBeUndefined();
  });

  it('takes a local part of 64 octets and refuses 65, quoted ones with their quotes', () => {
    expect(parseMailbox(`${'a'.repeat(64)}@b.c`)?.localPart).toHaveLength(64);
    expect(parseMailbox(`${'a'.repeat(65)}@b.c`)).toBeUndefined();
    expect(parseMailbox(`"${'a'.repeat(62)}"@b.c`)?.localPart).toHaveLength(62);
    expect(parseMailbox(`"${'a'.repeat(63)}"@b.c`)).toBeUndefined();
  });

  it('takes a path of 254 octets and refuses 255', () => {
    expect(parseMailbox(`a@${domainOf(252)}`)?.domain).toHaveLength(252);
    expect(parseMailbox(`a@${domainOf(253)}`)).toBeUndefined();
  });

  it('leaves room for the longest local part on the longest domain that is lent on', () => {
    const longest = `${'a'.repeat(64)}@${domainOf(ownDomainMaxOctets)}`;
    expect(Buffer.byteLength(longest)).toBe(254);
    expect(parseMailbox(longest)).toBeDefined();
  });
});

describe('parseSender', () => {
  it.each(['te..st', 'ilo.', '.x', '..', '.a..b.'])('takes %s for a local part', (localPart) => {
    expect(parseSender(`${localPart}@b.test`)).toEqual({ localPart, domain: 'b.test' });
    expect(parseSender(`ü${localPart}@b.test`, true)).toEqual({
      localPart: `ü${localPart}`,
      domain: 'b.test',
    });
    expect(parseMailbox(`${localPart}@b.test`)).toBeUndefined();
  });

  it.each(['a b@c.test', '@c.test', 'a@b..test', 'a@b.test.', 'a@[999.1.1.1]', 'a@', 'a,b@c.test'])(
    'refuses %j as ever',
    (text) => {
      expect(parseSender(text)).toBeUndefined();
    },
  );
});

describe('parseMailbox with UTF-8 (RFC 6531)', () => {
  it.each([
    ['füchse@mayfly.test', 'füchse', 'mayfly.test'],
    ['"stille füchse"@mayfly.test', 'stille füchse', 'mayfly.test'],
    ['狐@例え.テスト', '狐', '例え.テスト'],
    ['🦊.b@mayfly.test', '🦊.b', 'mayfly.test'],
    ['fox@BÜCHER.example', 'fox', 'bücher.example'],
  ])('takes %s', (text, localPart, domain) => {
    expect(parseMailbox(text, true)).toEqual({ localPart, domain });
  });

  it.each([
    'füchse..b@mayfly.test',
    'fü chse@mayfly.test',
    'f\u0085x@mayfly.test',
    'f\u2028x@mayfly.test',
    '"f\u2029x"@mayfly.test',
    'f\ud83dx@mayfly.test',
    '"f\udd8ax"@mayfly.test',
    'fox@bü cher.example',
    'fox@bücher..example',
    // ASCII names get no looser rule for being beside UTF-8.
    'fox@-mayfly.test',
    'fox@127.0.0.1',
    `fox@${label63}d.org`,
  ])('refuses %j', (text) => {
    expect(parseMailbox(text, true)).toBeUndefined();
  });

  it('counts octets, not characters', () => {
    expect(parseMailbox(`${'ü'.repeat(32)}@b.c`, true)?.localPart).toHaveLength(32);
    expect(parseMailbox(`${'ü'.repeat(32)}a@b.c`, true)).toBeUndefined();
    expect(parseMailbox(`a@${'ü'.repeat(126)}`, true)?.domain).toHaveLength(126);
    expect(parseMailbox(`a@${'ü'.repeat(127)}`, true)).toBeUndefined();
  });

  it('takes 64 KB of nearly an address in linear time', () => {
    for (const text of ['a.'.repeat(32_768), `"${'\\"'.repeat(32_768)}`, `a@${'a-'.repeat(32_768)}`]) {
      const parse = (): void => {
        expect(parseMailbox(text, true)).toBeUndefined();
        expect(parseDomainName(text)).toBeUndefined();
      };
      expect(cpuMsOf(parse)).toBeLessThan(2000);
    }
  });
});

describe('toAddressKey', () => {
  it('is one for all spellings of case, and for quoted and unquoted', () => {
    const keys = ['Quiet.Fox@Mayfly.Test', '"quiet.fox"@mayfly.test', 'QUIET.FOX@MAYFLY.TEST.'].map((text) =>
      toAddressKey(parseMailbox(text)!),
    );
    expect(new Set(keys)).toEqual(new Set(['quiet.fox@mayfly.test']));
  });

  it('does not take another letter for an ASCII one', () => {
    const kelvin = parseMailbox('\u212aate@mayfly.test', true)!;
    expect(toAddressKey(kelvin)).not.toBe('kate@mayfly.test');
  });

  it('keeps dots and tags: they are part of the name here', () => {
    expect(toAddressKey({ localPart: 'a.b+c', domain: 'd.e' })).toBe('a.b+c@d.e');
  });
});
