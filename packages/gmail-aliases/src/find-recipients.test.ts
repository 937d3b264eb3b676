import { expect, it } from 'vitest';

import { readHeaderFields } from '@mayfly/mail-reader/header';
import { parseAliasBase } from './alias.ts';
import { findRecipients } from './find-recipients.ts';
import { readTrace } from './read-trace.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

const own = 'quiet.fox@gmail.com';
const one = 'qu.iet.fox@gmail.com';
const two = 'quiet.fox+shop@gmail.com';

function recipients(lines: readonly string[], email = own): string[] {
  const base = parseAliasBase(email);
  if (!base) throw new Error('No base.');
  const raw = Buffer.from([...lines, '', 'Body', ''].join('\r\n'));
  const { fields } = readHeaderFields(raw, 0, { bytesMax: raw.length, fieldsMax: 1000 });
  return findRecipients(fields, readTrace(fields), base);
}

const inner = 'Received: by 2002:a05:6000:1a88 with SMTP id f8csp1; Sat, 21 Nov 2026 02:00:00 -0800 (PST)';
const received = (recipient: string): string =>
  `Received: from mail.example (mail.example. [192.0.2.7])\r\n by mx.google.com with ESMTPS id a1${recipient}; Sat, 21 Nov 2026 02:00:00 -0800`;
const plain = received('');

const table: readonly [string, readonly string[], readonly string[]][] = [
  ['the server’s Received field', [inner, received(` for <${one}>`), `To: ${own}`], [one]],
  ['the same without brackets', [received(` for ${one}`), 'To: undisclosed:;'], [one]],
  ['Delivered-To above it', [`Delivered-To: ${one}`, plain], [one]],
  ['X-Original-To above it', [`X-Original-To: ${two}`, plain], [two]],
  ['Delivered-To of a server that writes no Received', [`Delivered-To: <${two}>`, 'To: x@y.example'], [two]],
  ['a forwarder’s fields', [plain, `X-Forwarded-To: ${one}`], [one]],
  ['a Workspace server’s field', [plain, `X-Gm-Original-To: ${two}`], [two]],
  ['To', [plain, `To: Fox <${one}>`], [one]],
  [
    'Cc, in any case and folded',
    [plain, 'To: x@y.example', `Cc: a@b.example,\r\n\t${one.toUpperCase()}`],
    [one],
  ],
  ['googlemail.com read as gmail.com', [plain, 'To: quiet.fox+shop@googlemail.com'], [two]],
  ['both of two', [received(` for <${one}>`), `To: ${one}, ${two}`, `Cc: ${two}`], [one, two]],
  [
    'To when the server names a past alias',
    [received(' for <q.u.i.e.t.fox@gmail.com>'), `To: ${one}`],
    ['q.u.i.e.t.fox@gmail.com', one],
  ],
  [
    'To when the server names the account alone',
    [`Delivered-To: ${own}`, received(` for <${own}>`), `To: ${one}`],
    [one],
  ],
  ['nobody: the account’s own spelling', [`Delivered-To: ${own}`, plain, `To: ${own}`], []],
  ['nobody: its own without dots', [plain, 'To: quietfox@googlemail.com'], []],
  ['nobody: another account', [plain, 'To: quiet.foxes@gmail.com, quiet.fox@gmail.com.example'], []],
  ['nobody: no recipient at all', [plain, 'Subject: quiet.fox+shop@gmail.com'], []],
  [
    'nobody: a forged Delivered-To below the server’s own',
    [`Delivered-To: ${own}`, plain, `Delivered-To: ${one}`],
    [],
  ],
  [
    'nobody: a forged field below, with none above',
    [plain, `Delivered-To: ${one}`, `X-Original-To: ${one}`],
    [],
  ],
  [
    'nobody: a forger’s field when the server names the account',
    [received(` for <${own}>`), `X-Forwarded-To: ${one}`],
    [],
  ],
  ['nobody: a forged Received field', [plain, received(` for <${one}>`)], []],
  [
    'nobody: an alias in a display name',
    [plain, `To: "${one}" <x@y.example>, ${one.replace('@', ' at ')}`],
    [],
  ],
  ['nobody: an alias in a comment', [plain, `To: x@y.example (${one})`], []],
  [
    'nobody: an alias in an encoded word',
    [plain, 'To: =?utf-8?q?qu=2Eiet=2Efox=40gmail=2Ecom?= <x@y.example>'],
    [],
  ],
  [
    'nobody: a greeting that looks like a recipient',
    [`Received: from x for <${one}> (y [192.0.2.7]) by mx.google.com with SMTP; d`],
    [],
  ],
  [
    'nobody: a comment that looks like a recipient',
    [`Received: from x (y [192.0.2.7]) by mx.google.com (for <${one}>) with SMTP; d`],
    [],
  ],
  ['nobody: another letter that folds to the same', [plain, 'To: quiet.fo\u212a+shop@gmail.com'], []],
];

for (const [name, lines, expected] of table) {
  it(`takes ${name}`, () => {
    expect(recipients(lines)).toEqual(expected);
  });
}

it('takes dots at their word where the server is not Gmail', () => {
  const email = 'quiet.fox@mail.test';
  expect(
    recipients([plain, 'To: quietfox@mail.test, quiet.fox+a@mail.test, q.uietfox@mail.test'], email),
  ).toEqual(['quiet.fox+a@mail.test']);
});

it('looks at a bounded number of mailboxes, in linear time', () => {
  const many = Array.from({ length: 5000 }, (_, at) => `quiet.fox+a${at}@gmail.com`);
  expect(recipients([plain, `To: ${many.join(',')}`])).toHaveLength(100);
  for (const text of ['(', '"', '<', ' for <', '[', ' by ']) {
    const lines = [`Received: from ${text.repeat(20_000)}`, `To: ${text.repeat(20_000)}`];
    expect(
      cpuMsOf(() => recipients(lines)),
      text,
    ).toBeLessThan(2000);
  }
});
