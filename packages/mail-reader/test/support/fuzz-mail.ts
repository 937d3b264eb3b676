// Generates mail that invites misreading, to fuzz the MIME reader: real fixtures cut, doubled, spliced and sprinkled
// with MIME keywords, and trees of parts from scratch. The same seed gives the same mail.
import { readdirSync, readFileSync } from 'node:fs';
import type { Random } from '../../../../test/support/random.ts';

const folder = new URL('../fixtures/eml/', import.meta.url);
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.eml'))
  .toSorted()
  .map((name) => readFileSync(new URL(name, folder)));

const tokens = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ';',
  ':',
  '"',
  '\\',
  '(',
  ')',
  '<',
  '>',
  '@',
  ',',
  '=',
  '?',
  '--',
  '-',
  '=?utf-8?q?',
  '=?utf-8?B?',
  '?=',
  '=\r\n',
  '=3',
  '%',
  "''",
  '*0*=',
  '*1=',
  'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
  'Content-Type: text/html; charset=utf-16\r\n\r\n',
  'Content-Type: message/rfc822\r\n\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: quoted-printable\r\n',
  'Content-Disposition: attachment; filename="',
  'Content-ID: <',
  '\r\n--b\r\n',
  '\r\n--b--\r\n',
  'format=flowed; delsp=yes',
  'charset="',
  'begin 644 x\r\n',
  '<style>',
  '<a href="https://x.test/',
  '&#x',
  '&amp',
  '<!--',
  'Your code is 482913',
  '\xff\xfe',
  '\x1b$B',
  'From: "',
  'To: g:;',
  'Subject: ',
  'Date: ',
  'List-Unsubscribe: <',
  '4829',
  '🦊',
  '\u202e',
].map((token) => Buffer.from(token));

/** Returns at most a few hundred KB. */
export function makeFuzzMail(random: Random): Buffer {
  let mail = random.below(4) === 0 ? makeTree(random, 4) : random.pick(fixtures);
  for (let changes = 1 + random.below(8); changes > 0; changes -= 1) mail = change(random, mail);
  return mail.subarray(0, 400_000);
}

function change(random: Random, mail: Buffer): Buffer {
  const at = random.below(mail.length + 1);
  const to = Math.min(mail.length, at + random.below(200));
  const [before, within, after] = [mail.subarray(0, at), mail.subarray(at, to), mail.subarray(to)];
  switch (random.below(7)) {
    case 0:
      return Buffer.concat([before, random.pick(tokens), within, after]);
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, ...Array.from({ length: 1 + random.below(50) }, () => within), after]);
    case 3:
      return Buffer.concat([before, random.bytes(random.below(20)), after]);
    case 4:
      return Buffer.concat([before, random.pick(fixtures), after]);
    case 5:
      return Buffer.concat([before, repeat(random.pick(tokens), 1 + random.below(2_000)), after]);
    default:
      return before;
  }
}

function repeat(token: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => token));
}

function makeTree(random: Random, depth: number): Buffer {
  const boundary = random.pick(['b', 'b', 'bb', '--', 'x y', '']);
  const kind = random.pick(['mixed', 'alternative', 'related', 'report', 'digest', 'signed']);
  const head = Buffer.from(`Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n`);
  const parts = Array.from({ length: 1 + random.below(4) }, () => {
    const part = depth > 0 && random.below(3) === 0 ? makeTree(random, depth - 1) : random.pick(fixtures);
    return Buffer.concat([Buffer.from(`\r\n--${boundary}\r\n`), part]);
  });
  return Buffer.concat([head, ...parts, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
