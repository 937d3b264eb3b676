// One header, several readers: what lists show, what read-mail shows, what is vouched for, and what signatures are
// verified with. Where they would differ, nothing is vouched for.
import addressparser from 'nodemailer/lib/addressparser/index.js';
import { describe, expect, it } from 'vitest';

import { parseMessage } from '@mayfly/mail-reader';
import { readHeaderFields, readSummary } from '@mayfly/mail-reader/header';
import { toAsciiDomain } from '#mail-receiver/ascii-domain';
import { checkHeader } from '#mail-receiver/header-check';
import { makeFuzzHeader } from '../../../test/support/mail/fuzz-header.ts';
import { parseAsMailauth } from '../../../test/support/mail/mailauth-header.ts';
import { createRandom, fuzzSeed, type Random } from '../../../test/support/random.ts';
import { judgeHeader } from './message-authentications.ts';

const judge = (text: string) => judgeHeader(Buffer.from(text));
const mail = 'From: Ann <ann@good.test>\r\nSubject: x\r\n\r\nbody';

describe('judgeHeader', () => {
  it('gives an ordinary message as it is, with the domain of its sender', () => {
    expect(judge(mail)).toEqual({ raw: Buffer.from(mail), fromDomain: 'good.test' });
  });

  it.each([
    ['the line of a mailbox file', 'From x Mon Jan  1 00:00:00 2026\r\n'],
    ['a byte order mark', '\ufeff'],
  ])('begins where readers do, after %s', (_, before) => {
    expect(judge(before + mail)).toEqual({ raw: Buffer.from(mail), fromDomain: 'good.test' });
  });

  it('says why nothing is vouched for', () => {
    expect(judge(`From: Bob <bob@other.test>\r\n${mail}`)).toMatchObject({
      fromDomain: null,
      fromDoubt: 'From is there twice',
    });
  });

  const comment = `(${'c'.repeat(900)}\r\n `.repeat(19) + ')'.repeat(19);
  it.each([
    ['a comment of 17 KB before the address', `From: ${comment} <service@paypal.test>\r\n`],
    ['a folded name', 'X-Mailer: a\r\nFrom\r\n : service@paypal.test\r\n'],
    ['a domain with a slash', 'From: service@evil.test/paypal.test\r\n'],
    ['a domain with a question mark', 'From: <service@evil.test?paypal.test>\r\n'],
    ['a domain with a number sign', 'From: <service@evil.test#paypal.test>\r\n'],
    ['a domain with a backslash', 'From: <service@evil.test\\paypal.test>\r\n'],
    ['a domain with a comment', 'From: <service@paypal.test(.evil.test)>\r\n'],
    ['a comment in the address', 'From: service(x)@paypal.test\r\n'],
    ['white space in the address', 'From: service @ paypal . test\r\n'],
    ['a domain with a dot at its end', 'From: service@paypal.test.\r\n'],
    ['a domain of one label', 'From: service@paypal\r\n'],
    ['an address literal', 'From: service@[192.0.2.1]\r\n'],
    ['a route', 'From: <@evil.test,@b.test:service@paypal.test>\r\n'],
    ['a group', 'From: Team: service@paypal.test;\r\n'],
    ['two addresses', 'From: service@paypal.test, x@evil.test\r\n'],
    ['two addresses without a comma', 'From: service@paypal.test x@evil.test\r\n'],
    ['two addresses in brackets', 'From: <service@paypal.test> <x@evil.test>\r\n'],
    ['an address after the brackets', 'From: <service@paypal.test> x@evil.test\r\n'],
    ['brackets in brackets', 'From: <<service@paypal.test>>\r\n'],
    ['brackets that do not close', 'From: <service@paypal.test\r\n'],
    // Python's readers show service@paypal.test for these.
    ['an unquoted name like an address', 'From: service@paypal.test <x@evil.test>\r\n'],
    ['an unquoted name before an address', 'From: x@evil.test paypal.test <x@evil.test>\r\n'],
    ['an unquoted name like a domain', 'From: @paypal.test <x@evil.test>\r\n'],
    ['a literal for a name', 'From: [service@paypal.test] <x@evil.test>\r\n'],
    ['escaped brackets outside quotes', 'From: \\<service@paypal.test\\> <x@evil.test>\r\n'],
    ['a quoted address before a comma', 'From: "service@paypal.test", <x@evil.test>\r\n'],
    ['an encoded address before a comma', 'From: =?utf-8?q?service=40paypal.test?=, <x@evil.test>\r\n'],
    ['an encoded address before a semicolon', 'From: =?utf-8?q?service=40paypal.test?=; <x@evil.test>\r\n'],
    ['an encoded address in brackets', 'From: =?utf-8?q?=3Cservice=40paypal.test=3E?= <x@evil.test>\r\n'],
    ['an encoded address past a comment', 'From: (=?utf-8?q?=29=3Cs=40paypal.test=3E?=) x@evil.test\r\n'],
    ['an encoded address in quotes', 'From: "=?utf-8?q?=22=3Cs=40paypal.test=3E?=" <x@evil.test>\r\n'],
    ['an encoded word in a local part', 'From: "=?utf-8?q?=3Cs=40paypal.test=3E?="@evil.test\r\n'],
    ['a parenthesis that closes nothing', 'From: Ann ) <x@evil.test>\r\n'],
    ['a comment that does not close', 'From: x@evil.test (Ann\r\n'],
    ['a quoted string that does not close', 'From: <x@evil.test> "Ann\r\n'],
    ['a group name after the address', 'From: x@evil.test, service@paypal.test:\r\n'],
    ['an address before a comma', 'From: service@paypal.test, <x@evil.test>\r\n'],
    ['a name without an address', 'From: service\r\n'],
    ['no value', 'From:\r\n'],
    ['an encoded word for a local part', 'From: =?utf-8?q?service?=@paypal.test\r\n'],
    ['an encoded word for an address', 'From: =?utf-8?q?service=40paypal.test?=\r\n'],
    ['an encoded word for a domain', 'From: <service@=?utf-8?q?paypal.test?=>\r\n'],
    ['NUL', 'From: service@paypal.test\0 <x@evil.test>\r\n'],
    ['NUL in the domain', 'From: <service@paypal.test\0.evil.test>\r\n'],
    ['a lone carriage return', 'From: service@paypal.test\rFrom: x@evil.test\r\n'],
    ['full-width letters', 'From: <service@\uff50aypal.test>\r\n'],
    ['a character that turns the text', 'From: <service@paypal.test\u202e.evil.test>\r\n'],
    ['a character that is not seen', 'From: <service@pay\u200bpal.test>\r\n'],
    ['two fields', 'From: service@paypal.test\r\nFrom: service@paypal.test\r\n'],
    ['two fields, one with a blank before its colon', 'From: service@paypal.test\r\nFROM : x@evil.test\r\n'],
    ['a line that is no field', 'From: service@paypal.test\r\nX-Evil\r\nTo: a@b.test\r\n'],
    [
      'a second field after 64 KB',
      `From: service@paypal.test\r\nX: ${'y'.repeat(66_000)}\r\nFrom: x@evil.test\r\n`,
    ],
    ['a header that ends after 64 KB', `From: service@paypal.test\r\nX: ${'y'.repeat(66_000)}\r\n`],
    ['only what was sent again', 'Resent-From: service@paypal.test\r\nSender: service@paypal.test\r\n'],
  ])('vouches for nothing with %s', (_, from) => {
    expect(judge(`${from}Subject: x\r\n\r\nbody`).fromDomain).toBeNull();
  });

  it.each([
    ['service@good.test', 'a plain address'],
    ['"service@paypal.test" <x@good.test>', 'a name like an address'],
    ['x@good.test <x@good.test>', 'an address that is its own name'],
    ['Ann ann@GOOD.test <x@good.test>', 'a name that ends with an address of the domain'],
    ['"Ann \\"A\\" Lee" <x@good.test>', 'quotes within quotes'],
    ['=?utf-8?q?service=40paypal.test?= <x@good.test>', 'an encoded name like an address'],
    ['"service@paypal.test"@good.test', 'a quoted local part'],
    ['x@good.test (service@paypal.test)', 'a comment like an address'],
    ['Lee, Ann <x@good.test>', 'a name with a comma'],
    ['"Lee, Ann" <x@GOOD.test>', 'a quoted name'],
    ['Ann\r\n <x@good.test>', 'a fold'],
  ])('reads %s: %s', (from) => {
    const raw = `From: ${from}\r\nSubject: x\r\nSender: service@paypal.test\r\nResent-From: a@paypal.test\r\n\r\n`;
    expect(judge(raw)).toEqual({ raw: Buffer.from(raw), fromDomain: 'good.test' });
  });
});

/** As mailauth has them. */
function readAsSigned(raw: Uint8Array, bodyStart: number): { name: string; value: string }[] {
  return parseAsMailauth(Buffer.from(raw).subarray(0, bodyStart)).map(({ key, line }) => {
    const text = line.toString('latin1');
    return { name: key, value: unfold(text.slice(text.indexOf(':') + 1)) };
  });
}

/** Without line ends, and without white space around it: not trim(), which takes the byte A0 for a space. */
const unfold = (value: string): string => value.replace(/\r?\n/g, '').replace(/^[ \t-\r]+|[ \t-\r]+$/g, '');

/** @returns whether something was vouched for, or could be */
function compareReaders(random: Random): { isFrom: boolean; isHeader: boolean } {
  const raw = makeFuzzHeader(random);
  const judged = judgeHeader(raw);
  const { bodyStart, isPlain, repeated } = checkHeader(judged.raw);
  const summary = readSummary(raw);
  const parsed = parseMessage(raw);
  expect([parsed.subject, parsed.from?.email ?? '']).toEqual([summary.subject, summary.senderEmail]);
  const isHeader = isPlain && bodyStart >= 0 && judged.isReadTwoWays !== true;
  if (!isHeader) return { isFrom: false, isHeader };
  const signed = readAsSigned(judged.raw, bodyStart);
  const shown = readHeaderFields(raw, 0, { bytesMax: 65_536, fieldsMax: 2000 }).fields;
  expect(shown.map(({ name, value }) => ({ name: name.toLowerCase(), value: unfold(value) }))).toEqual(
    signed,
  );
  if (repeated === null) {
    // DKIM signs the last, people are shown the first.
    for (const name of ['from', 'subject']) {
      expect(signed.filter((field) => field.name === name).length).toBeLessThan(2);
    }
  }
  if (judged.fromDomain === null) return { isFrom: false, isHeader };
  const [from, second] = signed.filter(({ name }) => name === 'from');
  expect(second).toBeUndefined();
  expect(summary.senderEmail.toLowerCase().endsWith(`@${judged.fromDomain}`)).toBe(true);
  const written = Buffer.from(from?.value ?? '', 'latin1').toString();
  const others = addressparser(written, { flatten: true }).filter(({ address }) => address !== '');
  const domains = others.map(({ address }) => toAsciiDomain(address.slice(address.lastIndexOf('@') + 1)));
  if (!written.includes('\ufffd')) expect(domains).toEqual([toAsciiDomain(judged.fromDomain)]);
  return { isFrom: true, isHeader };
}

describe('readers of one header', () => {
  const seed = fuzzSeed();

  it(
    `agree on its fields and its sender, or nothing is vouched for (FUZZ_SEED=${seed})`,
    { timeout: 300_000 },
    () => {
      let headers = 0;
      let senders = 0;
      for (let at = 0; at < 2500; at++) {
        const one = (seed + at) >>> 0;
        try {
          const { isFrom, isHeader } = compareReaders(createRandom(one));
          headers += Number(isHeader);
          senders += Number(isFrom);
        } catch (error) {
          throw new Error(
            `FUZZ_SEED=${one}: ${JSON.stringify(makeFuzzHeader(createRandom(one)).toString('latin1').slice(0, 2000))}`,
            { cause: error },
          );
        }
      }
      // Else the loop above would prove nothing.
      expect(headers).toBeGreaterThan(200);
      expect(senders).toBeGreaterThan(30);
    },
  );
});
