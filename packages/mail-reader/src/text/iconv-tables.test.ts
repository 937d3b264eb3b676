import iconv from 'iconv-lite';
import { expect, it } from 'vitest';

import { decodeSingleBytes, PairTable } from './iconv-tables.ts';

it.each([
  ['cp949', ['cp949']],
  ['big5-hkscs', ['cp950', 'big5-added']],
])('reads every pair of %s as iconv-lite does', (name, files) => {
  const table = new PairTable(...files);
  for (let lead = 0; lead < 256; lead++) {
    const row = Buffer.from(Array.from({ length: 256 }, (_, trail) => [lead, trail, 0x41]).flat());
    expect(table.decode(row), `row ${lead.toString(16)}`).toBe(iconv.decode(row, name, { stripBOM: false }));
  }
  expect(table.decode(Buffer.from([0xb0]))).toBe('\ufffd');
});

const pages =
  '437 720 737 775 808 850 852 855 856 857 858 860 861 862 863 864 865 869 922 1046 1124 1125 1129 1133 1161 1162 1163';

it.each([
  ...pages.split(' ').map((page) => `cp${page}`),
  ...[
    'iso885916',
    'armscii8',
    'viscii',
    'tcvn',
    'georgianps',
    'georgianacademy',
    'pt154',
    'rk1048',
    'hproman8',
  ],
  ...['maccenteuro', 'maccroatian', 'macgreek', 'maciceland', 'macromania', 'macturkish', 'windows1255'],
])('reads every byte of %s as iconv-lite does', (name) => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  expect(decodeSingleBytes(bytes, name)).toBe(iconv.decode(bytes, name, { stripBOM: false }));
});
