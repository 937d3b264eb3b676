// Hostile input: time grows at most linearly with the size, up to the limits, and stops growing beyond them.
import { describe, expect, it } from 'vitest';
import { findCodes } from './find-codes.ts';
import { findLinks } from './find-links.ts';

const hostile: Readonly<Record<string, string>> = {
  digits: '1',
  spaces: ' ',
  'less-than signs': '<',
  'bare schemes': 'http://',
  'schemes of apps': 'a.b-c:/',
  'dotted words': 'a.b.c.d.',
  'angled addresses': '<http://a/',
  'wrapped addresses': `http://a.example/${'a'.repeat(60)}\na1=`,
  'unclosed bases': '<base ',
  forms: '<form action=https://a.example/f><input type=submit value=a>',
  areas: '<area href=x:y>',
  links: '<a href=https://a.example/verify?t=1>c',
  'nested tags': '<div><span style="font-size:30px">',
  'unclosed cells': '<td>1',
  'unclosed quotes': '<a href="',
  'unclosed styles': '<style>',
  'unclosed comments': '<!--',
  'closing tags': '</div>',
  entities: '&#49;',
  ampersands: '&',
  'codes on one line': 'code 123456 ',
  'codes on many lines': 'code 123456\n',
  'single digits': '1 ',
  'digits and hyphens': '1-',
  'digits and commas': '1,',
  'combining marks': '\u0301',
  brackets: 'https://a.example/))))))))',
  keywords: '验证码',
  passwords: 'password: a1',
  'words with hyphens': 'snow-rabbit-1-',
  'digits and dots': '482.913 ',
  'lengths in words': 'six digits ',
  'requests to type': 'vul 4821 in ',
  'sentences that point back': 'code. it is 4821. ',
  announcements: 'code 4821:\n',
  examples: 'e.g. 4821 ',
  addresses: 'Plot 7, Pune, PIN Code: 411001, ',
  'labels of codes': 'employee code: 4821\n',
  'nouns and verbs': 'form type 1099 typ: ',
  fields: '<input value=4821>',
  'large numbers': '<h1>482913</h1>steps\n',
};
const halfChars = 128 * 1024;
const beyond = 1024 * 1024;
/** Doubling may triple the time: the clock of a busy machine is coarse. Anything quadratic gives four and more. */
const growth = 3;
const noiseMs = 60;

function run(unit: string, size: number): number {
  const part = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  const start = process.cpuUsage();
  findCodes({ subject: part, text: part, html: part, senderName: part, senderEmail: '' });
  findLinks({ subject: part, text: part, html: part });
  // Processor time: other work on the machine does not count.
  return process.cpuUsage(start).user / 1000;
}

/** Noise may spoil some attempts; a function that is not linear fails them all. */
const attempts = 10;

/** Returns whether the times of sizes up to the limits grow with the size, and those beyond them do not. */
function isLinear(unit: string): boolean {
  const half = run(unit, halfChars);
  const full = run(unit, halfChars * 2);
  return full < half * growth + noiseMs && run(unit, beyond) < full * growth + noiseMs;
}

/** The first run builds the word matchers. */
run('code 123456 https://a.example/verify ', 4096);

describe('time on hostile input', () => {
  it.each(Object.entries(hostile))('doubles with the size and stops at the limits: %s', (_name, unit) => {
    expect(Array.from({ length: attempts }).some(() => isLinear(unit))).toBe(true);
  });
});
