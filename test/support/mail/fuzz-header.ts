// Headers on which two readers may disagree: fields doubled, folded at odd places, cut, with commas, quotes, comments
// and brackets around addresses. The same seed gives the same header.

import type { Random } from '../random.ts';

const addresses = [
  'Ann <x@good.test>',
  'x@good.test',
  'x@evil.test',
  'service@paypal.test',
  '<x@evil.test>',
  '<service@paypal.test>',
  'service@evil.test/paypal.test',
  '<x@paypal.test?.evil.test>',
  '"service@paypal.test"',
  '"service@paypal.test"@evil.test',
  '(service@paypal.test)',
  '<@paypal.test:x@evil.test>',
  '<x@evil.test(.paypal.test)>',
  '<x@[192.0.2.1]>',
  '<x@evil.test.>',
  '<x @ evil . test>',
  '=?utf-8?q?service=40paypal.test?=',
  '=?utf-8?q?x=3Cservice=40paypal.test=3E?=',
  '=?utf-8?q?x?=@paypal.test',
  '<x@p\u00e4ypal.test>',
  '<x@p\u0430ypal.test>',
  '<x@\uff50aypal.test>',
  'Team: x@evil.test, service@paypal.test;',
  '[service@paypal.test]',
  '@paypal.test',
  '(a(b) <service@paypal.test>)',
  '"a\\" <service@paypal.test>"',
  '(=?utf-8?q?=29=3Cservice=40paypal.test=3E?=)',
  'Ann Lee',
  'Lee,',
  'x'.repeat(70),
];
const glue = [
  ...[
    '',
    ' ',
    ' ',
    ', ',
    '; ',
    ':',
    '<',
    '>',
    '"',
    '\\',
    '(',
    ')',
    '@',
    '.',
    '\t',
    '\0',
    '\r',
    '\v',
    '\u00a0',
    '\u202e',
  ],
  ...['\r\n ', '\r\n\t', '\r\n \r\n ', '\n ', '\r\n', '\r\n\v'],
];
const names = [
  ...[
    'From',
    'From',
    'From',
    'FROM',
    'from ',
    'From\t',
    'From\r\n ',
    ' From',
    'From\0',
    'From\u00a0',
    '\ufeffFrom',
    '>From',
    'From-X',
    '"From"',
  ],
  ...[
    'Subject',
    'Subject',
    'subject ',
    'Subject\r\n ',
    'To',
    'Date',
    'Sender',
    'Resent-From',
    'Message-ID',
    'X-Mailer',
    'Reply-To',
  ],
  ...['Content-Type', 'MIME-Version', 'Received', 'http', '--b', ''],
];
const lines = [
  ...[
    '\r\n',
    '\n',
    ' \r\n',
    '\t\r\n',
    '\r\r\n',
    '\r',
    'Hello,\r\n',
    '--b\r\n',
    '>From x Mon Jan  1 00:00:00 2026\r\n',
  ],
  ...[
    'From x@evil.test Mon Jan  1 00:00:00 2026\r\n',
    '\ufeff',
    ' folded\r\n',
    'http://x.test/\r\n',
    '\0\r\n',
    '\v\r\n',
    ':\r\n',
  ],
];

/** Returns mostly an ordinary header with one or two faults. */
export function makeFuzzHeader(random: Random): Buffer {
  const parts: string[] = [];
  if (random.below(8) === 0) parts.push(random.pick(lines));
  if (random.below(2) === 0) parts.push(`From: ${random.pick(addresses)}\r\n`);
  for (let left = random.below(5); left > 0; left--) {
    parts.push(makeField(random));
    if (random.below(12) === 0) parts.push(random.pick(lines));
  }
  if (random.below(20) === 0) {
    parts.push(`X-Long: ${'y'.repeat(random.below(70_000))}\r\n`, makeField(random));
  }
  if (random.below(10) > 0) parts.push('\r\n');
  parts.push('Subject: in the body\r\nFrom: body@evil.test\r\n\r\nmore\r\n');
  return Buffer.from(parts.join(''), random.below(10) === 0 ? 'latin1' : 'utf8');
}

function makeField(random: Random): string {
  const colon = random.below(15) === 0 ? random.pick([' :', '', '\r\n :', '::', ' \t:', ':\r\n']) : ':';
  const end = random.below(15) === 0 ? random.pick(['\n', '\r', '', '\r\n ', '\r\r\n']) : '\r\n';
  return `${random.pick(names)}${colon} ${makeAddresses(random)}${end}`;
}

export function makeAddresses(random: Random): string {
  let text = '';
  if (random.below(200) === 0) text = `(${'c'.repeat(1000)}\r\n `.repeat(17);
  for (let left = 1 + random.below(3); left > 0; left--) {
    text += random.pick(addresses);
    if (random.below(3) === 0) text += random.pick(glue);
    if (left > 1 && random.below(2) === 0) text += ' ';
  }
  return text;
}
