import { expect, it } from 'vitest';

import { parseWrittenDomain, toAsciiDomain } from './ascii-domain.ts';

it.each([
  ['example.org', 'example.org'],
  ['Mail.EXAMPLE.org', 'mail.example.org'],
  ['xn--bcher-kva.test', 'xn--bcher-kva.test'],
  ['b\u00fccher.test', 'xn--bcher-kva.test'],
  ['B\u00dcCHER.test', 'xn--bcher-kva.test'],
  ['stra\u00dfe.example', 'xn--strae-oqa.example'],
  ['\u4f8b\u5b50.\u4e2d\u56fd', 'xn--fsqu00a.xn--fiqs8s'],
  ['a_b.example.org', 'a_b.example.org'],
])('writes %s as %s', (text, domain) => {
  expect(toAsciiDomain(text)).toBe(domain);
});

it.each([
  '',
  '.',
  'localhost',
  'example.org.',
  '.example.org',
  'evil..test',
  'evil.test/paypal.com',
  'paypal.com/.evil.test',
  'paypal.com?.evil.test',
  'paypal.com#.evil.test',
  'paypal.com\\.evil.test',
  'paypal.com:25',
  'x@paypal.com',
  'paypal.com\t',
  'paypal.com\0.evil.test',
  'pay pal.com',
  'paypal.com%2f.evil.test',
  '[192.0.2.1]',
  '192.0.2.1',
  '1.2.3',
  '0x7f.1',
  '-paypal.com',
  'xn--a.test\u00e9/',
  '=?utf-8?q?paypal.com?=',
  '\uff50aypal.com',
  'paypal\u3002com\u00e9.test',
  'paypal.com\u2100.test',
  'pay\u00adpal.\u00e9.test',
  'pay\u200bpal.\u00e9.test',
  'paypal.com\u202e.\u00e9.test',
  '\u212a.test',
  'bu\u0308cher.test',
  '\ufffd.test',
  `${'a'.repeat(64)}.test`,
  `${'a.'.repeat(127)}test`,
])('takes %j for no domain', (text) => {
  expect(toAsciiDomain(text)).toBeUndefined();
});

it.each([
  ['Example.ORG.', 'example.org'],
  ['localhost', 'localhost'],
  ['B\u00fccher.example', 'xn--bcher-kva.example'],
  // Decomposed, as some keyboards and file systems write it.
  ['bu\u0308cher.example.', 'xn--bcher-kva.example'],
  ['\u4f8b\u5b50.\u4e2d\u56fd', 'xn--fsqu00a.xn--fiqs8s'],
  ['b\u00fccher .example', undefined],
  ['b\u00fccher.example/x', undefined],
  ['', undefined],
])('reads the domain %j as %s', (text, domain) => {
  expect(parseWrittenDomain(text)).toBe(domain);
});
