import { expect, it } from 'vitest';

import { parseBdat } from './split-command.ts';

it.each([
  ['0', 0, false],
  ['0 LAST', 0, true],
  ['5', 5, false],
  ['5 LAST', 5, true],
  ['5   last', 5, true],
  ['00005', 5, false],
  ['18446744073709551615', 2 ** 64, false],
])('"%s" is read', (text, sizeBytes, isLast) => {
  expect(parseBdat(text)).toEqual({ sizeBytes, isLast });
});

it.each([
  ...[
    '',
    'LAST',
    'x',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x10',
    '5 LAST x',
    '5 FIRST',
    '5LAST',
    'LAST 5',
    '5 5',
    '5\tLAST',
  ],
  ...['1'.repeat(21), '٥', '５', ' 5', '5 '],
])('"%s" is not', (text) => {
  expect(parseBdat(text)).toBeUndefined();
});
