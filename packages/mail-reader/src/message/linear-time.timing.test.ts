// M3: every function that reads untrusted text takes time linear in its input (ReDoS, quadratic loops). One run on 4n
// is compared with four runs on n, which produce the same garbage: a linear function takes about as long, a quadratic
// one four times as long.
import { describe, expect, it } from 'vitest';
import { decodeCharset } from '../text/charset.ts';
import { cleanLine } from '../text/clean-text.ts';
import { decodeWords } from '../header/decode-words.ts';
import { toFilename } from '../parts/filename.ts';
import { joinFlowed } from '../text/flowed-text.ts';
import { parseMailboxes } from '../header/header-address.ts';
import { parseHeaderDate } from '../header/header-date.ts';
import { htmlToText } from '../text/html-to-text.ts';
import { parseParameters } from '../header/parameters.ts';
import { parseMessage } from './parse-message.ts';
import { decodeTransfer } from '../parts/transfer-decoding.ts';

const largestRatio = 2;
/** Noise may spoil some attempts; a quadratic function fails them all. */
const attempts = 8;
/** Below this, a ratio is noise. */
const floorMs = 1;

/** Measures processor time: other work on the machine does not count. */
function cpuMsOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}

function expectLinear(run: (input: string) => void, unit: string, size: number): void {
  const small = unit.repeat(Math.ceil(size / unit.length));
  const large = small.repeat(4);
  const runFour = (): void => {
    for (let i = 0; i < 4; i++) run(small);
  };
  let ratio = Infinity;
  for (let attempt = 0; attempt < attempts && ratio > largestRatio; attempt++) {
    ratio = cpuMsOf(() => run(large)) / Math.max(floorMs, cpuMsOf(runFour));
  }
  expect(ratio).toBeLessThanOrEqual(largestRatio);
}

const cases: [string, (input: string) => void, string[]][] = [
  [
    'decodeWords',
    decodeWords,
    ['=?', '=?a', '=?a?q?', '=?a?q?x ', '=?a?q?x?= ', '=?a?b?QQ?=', '=?utf-8?q?=E4?= x ', '\xe4', ' '],
  ],
  [
    'parseMailboxes',
    (s) => parseMailboxes(s, 1_000_000),
    ['a@b,', 'g:', '(', '"', '<', '<a', '\\', '[', '=?a?q?x', 'a b ', '@', ' ', 'a@b <', ', '],
  ],
  [
    'parseParameters',
    (s) => parseParameters(`a/b; ${s}`),
    ['a=b;', 'a*0=b;', '"', '(', '=', ' ', ';', 'a="b" ', '\\"'],
  ],
  ['parseHeaderDate', parseHeaderDate, ['(', '1 ', 'Fri, ', ' ', '1 Jan ', '[', '2026-11-20T']],
  [
    'toFilename',
    (s) => toFilename(s, { path: '1', contentType: 'a/b' }),
    ['.', ' ', '../', 'a.', '\u202e', 'a\\', 'c:/', '\n'],
  ],
  ['cleanLine', (s) => cleanLine(s, s.length), [' ', '\0', '\ud800', 'a ']],
  [
    'htmlToText',
    (s) => htmlToText(s, s.length),
    ['<', '<a ', '<p>a', '<!--', '<script>', '<a "', '&', '&#', '</', '<li>', '<pre>', ' ', '\n', '<!'],
  ],
  ['joinFlowed', (s) => joinFlowed(s, true), ['> \n', ' \n', '>', 'a \n', ' ']],
  [
    'quoted-printable',
    (s) => decodeTransfer(Buffer.from(s), 'quoted-printable'),
    ['=', '= ', ' ', ' \r\n', '=\r\n', '=4'],
  ],
  [
    'x-uuencode',
    (s) => decodeTransfer(Buffer.from(`begin 644 a\r\n${s}`), 'x-uuencode'),
    ['#0V%T\n', 'M', '\r\n', '#\n', ' '],
  ],
  [
    'charset',
    (s) => decodeCharset(Buffer.from(s, 'latin1'), 'utf-8'),
    ['\xff', '\xc3', '\xc3\xa9', '\x1b$B'],
  ],
  ['base64', (s) => decodeTransfer(Buffer.from(s), 'base64'), ['=', 'A', 'A=', '*', '\r\n']],
];

describe.each(cases)('%s', (_, run, units) => {
  it.each(units)('takes time linear in the length of %j, repeated', (unit) => {
    expectLinear(run, unit, 65_536);
  });
});

describe('parseMessage', () => {
  const head = 'Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n';
  it.each([
    'x\r\n',
    '\r\n',
    '--\r\n',
    '--b\r\n',
    '--b\r\n\r\n',
    '--b--\r\n',
    'x: y\r\n',
    ' \r\n',
    'a: b\r\n \r\n',
    'a: b\r\nstray\r\n',
    'To: b\r\n \r\n \r\nx-',
    '>From x\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n',
    'begin 644 a\r\n',
    'begin 644 a\r\n#0V%T\r\nx\r\n',
    'begin 644 a\r\n#0V%T\r\nend\r\n',
    'Subject:\r\n',
    'Content-Disposition: a; filename="\xe4\\\r\n',
  ])('takes time linear in the number of %j', (unit) => {
    expectLinear((body) => parseMessage(Buffer.from(head + body)), unit, 65_536);
    expectLinear((body) => parseMessage(Buffer.from(body)), unit, 65_536);
  });
});
