import { describe, expect, it } from 'vitest';

import { parseMail, parseRcpt } from './parse-path.ts';
import { replies } from './reply.ts';

describe('MAIL', () => {
  it.each([
    ['FROM:<a@b.test>', 'a@b.test'],
    ['from:<a@b.test>', 'a@b.test'],
    ['FROM: <a@b.test>', 'a@b.test'],
    ['FROM:<A.Person@B.Test>', 'A.Person@B.Test'],
    ['FROM:<>', null],
    ['FROM: <>', null],
    ['FROM:<@relay.test:a@b.test>', 'a@b.test'],
    ['FROM:<@one.test,@two.test:a@b.test>', 'a@b.test'],
    ['FROM:<"a b"@b.test>', '"a b"@b.test'],
    ['FROM:<"a>b"@b.test>', '"a>b"@b.test'],
    ['FROM:<"a\\"b\\\\"@b.test>', '"a\\"b\\\\"@b.test'],
    ['FROM:<a@[192.0.2.1]>', 'a@[192.0.2.1]'],
    ['FROM:<a@[IPv6:2001:db8::1]>', 'a@[IPv6:2001:db8::1]'],
    [`FROM:<${'l'.repeat(64)}@b.test>`, `${'l'.repeat(64)}@b.test`],
    // Dots that no grammar has and real senders do.
    ['FROM:<te..st@b.test>', 'te..st@b.test'],
    ['FROM:<ilo.@b.test>', 'ilo.@b.test'],
    ['FROM:<.x@b.test>', '.x@b.test'],
    ['FROM:<bounce+you=example.org@b.test>', 'bounce+you=example.org@b.test'],
  ])('%s names the sender', (text, mailFrom) => {
    expect(parseMail(text)).toEqual({ mailFrom, sizeBytes: undefined, isUtf8: false });
  });

  it.each([
    '',
    'FROM',
    'FROM:',
    'FROM:a@b.test',
    'FROM:<a@b.test',
    'FROM:<"a@b.test>',
    'TO:<a@b.test>',
    'FROM :<a@b.test>',
    'FROM:<a>',
    'FROM:<@b.test>',
    'FROM:<a@>',
    'FROM:<a b@c.test>',
    'FROM:<a@b.test.>',
    'FROM:<a@[999.1.1.1]>',
    'FROM:<a@[tag:text]>',
    'FROM:<a@b..test>',
    'FROM:<a@-b.test>',
    'FROM:<a@b.test>SIZE=1',
    'FROM:<a@b.test>>',
    'FROM:<<a@b.test>>',
    'FROM:<a@b.test><c@d.test>',
    'FROM:<@relay.test a@b.test>',
    `FROM:<${'l'.repeat(65)}@b.test>`,
    `FROM:<a@${'d'.repeat(64)}.test>`,
    `FROM:<${'l'.repeat(64)}@${'d.'.repeat(95)}>`,
  ])('%s is refused as a bad sender', (text) => {
    expect(parseMail(text)).toBe(replies.badSender);
  });

  it.each([
    ['SIZE=0', 0],
    ['SIZE=12345', 12_345],
    ['size=12345', 12_345],
    ['BODY=8BITMIME SIZE=7', 7],
    ['  SIZE=7   BODY=7bit ', 7],
    ['SIZE=18446744073709551615', 2 ** 64],
    ['SIZE=7 SMTPUTF8 SMTPUTF8 size=7 BODY=8BITMIME BODY=8bitmime', 7],
  ])('takes the parameters %s', (parameters, sizeBytes) => {
    expect(parseMail(`FROM:<a@b.test> ${parameters}`)).toMatchObject({ sizeBytes });
  });

  it.each([
    ['SIZE', replies.badArguments],
    ['SIZE=', replies.badArguments],
    ['SIZE=-1', replies.badArguments],
    ['SIZE=1e3', replies.badArguments],
    ['SIZE=0x10', replies.badArguments],
    ['SIZE=184467440737095516150', replies.badArguments],
    ['SIZE=1 SIZE=2', replies.badArguments],
    ['SIZE=1 size=', replies.badArguments],
    ['SIZE=1 SIZE', replies.badArguments],
    ['BODY', replies.badArguments],
    ['BODY=BINARYMIME', replies.badArguments],
    ['BODY=7BIT BODY=8BITMIME', replies.badArguments],
    ['SMTPUTF8=1', replies.badArguments],
    ['SMTPUTF8 SMTPUTF8=1', replies.badArguments],
    ['RET=HDRS', replies.unknownParameter],
    ['ENVID=abc', replies.unknownParameter],
    ['=', replies.unknownParameter],
    ['nonsense', replies.unknownParameter],
  ])('refuses the parameters %s', (parameters, reply) => {
    expect(parseMail(`FROM:<a@b.test> ${parameters}`)).toBe(reply);
  });

  it('wants SMTPUTF8 for an address that is not ASCII (RFC 6531 §3.5)', () => {
    expect(parseMail('FROM:<jörg@b.test>')).toBe(replies.needsUtf8);
    expect(parseMail('FROM:<a@bücher.test>')).toBe(replies.needsUtf8);
    expect(parseMail('FROM:<jörg@bücher.test> SMTPUTF8')).toEqual({
      mailFrom: 'jörg@bücher.test',
      sizeBytes: undefined,
      isUtf8: true,
    });
    expect(parseMail('FROM:<"用 户"@例え.test> SMTPUTF8')).toMatchObject({ mailFrom: '"用 户"@例え.test' });
  });

  it('counts the length of a local part in octets, not in characters', () => {
    expect(parseMail(`FROM:<${'ü'.repeat(32)}@b.test> SMTPUTF8`)).toMatchObject({ isUtf8: true });
    expect(parseMail(`FROM:<${'ü'.repeat(33)}@b.test> SMTPUTF8`)).toBe(replies.badSender);
  });
});

describe('RCPT', () => {
  it.each([
    ['TO:<a@us.test>', ['a', 'us.test'], 'a@us.test'],
    ['to:<a@us.test>', ['a', 'us.test'], 'a@us.test'],
    ['TO: <a@us.test>', ['a', 'us.test'], 'a@us.test'],
    ['TO:<A.B@US.Test>', ['A.B', 'us.test'], 'A.B@US.Test'],
    ['TO:<"a.b"@us.test>', ['a.b', 'us.test'], '"a.b"@us.test'],
    ['TO:<"a\\ b"@us.test>', ['a b', 'us.test'], '"a\\ b"@us.test'],
    ['TO:<@relay.test:a@us.test>', ['a', 'us.test'], 'a@us.test'],
    ['TO:<@one.test,@two.test:a@us.test>', ['a', 'us.test'], 'a@us.test'],
    ['TO:<a@us.test.>', ['a', 'us.test'], 'a@us.test.'],
    ['TO:<a@[192.0.2.1]>', ['a', '[192.0.2.1]'], 'a@[192.0.2.1]'],
    ['TO:<a+tag@us.test>', ['a+tag', 'us.test'], 'a+tag@us.test'],
  ])('%s names a recipient', (text, [localPart, domain], spelling) => {
    expect(parseRcpt(text, false)).toEqual({ address: { localPart, domain }, text: spelling });
  });

  it.each([
    '',
    'TO:',
    'TO:<>',
    'TO:a@us.test',
    'TO:<a@us.test',
    'FROM:<a@us.test>',
    'TO:<a@>',
    'TO:<@us.test>',
    'TO:<a b@us.test>',
    'TO:<"a\\"@us.test>',
    'TO:<""a""@us.test>',
    'TO:<a@us_.-test>',
    'TO:<a@[192.0.2.1>',
    'TO:<a..b@us.test>',
  ])('%s is refused as a bad recipient', (text) => {
    expect(parseRcpt(text, false)).toBe(replies.badRecipient);
  });

  it('takes no parameters', () => {
    expect(parseRcpt('TO:<a@us.test> NOTIFY=NEVER', false)).toBe(replies.unknownParameter);
    expect(parseRcpt('TO:<a@us.test> ORCPT=rfc822;a@us.test', false)).toBe(replies.unknownParameter);
  });

  it('wants SMTPUTF8 with MAIL for an address that is not ASCII', () => {
    expect(parseRcpt('TO:<jörg@us.test>', false)).toBe(replies.needsUtf8);
    expect(parseRcpt('TO:<jörg@us.test>', true)).toMatchObject({ address: { localPart: 'jörg' } });
  });

  // The old ways to ask a host to pass mail on to another.
  it.each([
    'TO:<b%c.test@us.test>',
    'TO:<b%c@us.test>',
    'TO:<b%c.test%d.test@us.test>',
    'TO:<"b@c.test"@us.test>',
    'TO:<"b%c.test"@us.test>',
    'TO:<"b\\@c.test"@us.test>',
    'TO:<b@c.test@us.test>',
    'TO:<c.test!b@us.test>',
    'TO:<us.test!b@us.test>',
    'TO:<"c.test!b"@us.test>',
    'TO:<@us.test:b%c.test@us.test>',
    'TO:<@us.test,@c.test:"b@c.test"@us.test>',
    'TO:<@us.test@c.test>',
    'TO:<b%c.test@[127.0.0.1]>',
    'TO:<b%c.test>',
  ])('%s is refused as relaying or as malformed, never resolved', (text) => {
    expect([replies.relayDenied, replies.badRecipient]).toContain(parseRcpt(text, false));
  });

  it.each([
    ['TO:<b@c.test>', 'c.test'],
    ['TO:<@us.test:b@c.test>', 'c.test'],
    ['TO:<@us.test,@x.test:b@c.test>', 'c.test'],
    ['TO:<b@[127.0.0.1]>', '[127.0.0.1]'],
    ['TO:<b@[IPv6:::1]>', '[ipv6:::1]'],
    ['TO:<b@us.test.c.test>', 'us.test.c.test'],
  ])('%s has the domain %s, whatever the route', (text, domain) => {
    expect(parseRcpt(text, false)).toMatchObject({ address: { domain } });
  });
});
