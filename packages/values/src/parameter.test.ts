import { describe, expect, it } from 'vitest';

import { type Parameter, parseValue } from './parameter.ts';

const int: Parameter = { kind: 'int', min: 1, max: Number.MAX_SAFE_INTEGER, description: '' };
const flag: Parameter = { kind: 'flag', description: '' };
const text: Parameter = { kind: 'text', description: '' };

describe('parseValue', () => {
  it.each([
    [int, '1', 1],
    [int, 7, 7],
    [int, '007', 7],
    [int, '9007199254740991', Number.MAX_SAFE_INTEGER],
    [flag, '1', true],
    [flag, 1, true],
    [flag, true, true],
    [flag, 'true', true],
    [flag, '0', false],
    [flag, 0, false],
    [flag, false, false],
    [flag, 'false', false],
    [text, 'a b', 'a b'],
    [text, '0', '0'],
  ])('reads %j from %j', (parameter, raw, value) => {
    expect(parseValue('x', parameter, raw)).toBe(value);
  });

  it.each([int, flag, text])('takes empty text and null as absent for %j', (parameter) => {
    expect(parseValue('x', parameter, '')).toBeUndefined();
    expect(parseValue('x', parameter, null)).toBeUndefined();
  });

  const wrongInts = [
    '1.0',
    '1e3',
    '+1',
    '-1',
    ' 1',
    '1 ',
    '0x1',
    'abc',
    '٣',
    '9007199254740993',
    '99999999999999999999',
  ];
  it.each([
    ...[...wrongInts, 0, -1, 1.5, 1e300, 2 ** 53, true, [], [1], {}, Symbol('other')].map(
      (raw) => [int, raw] as const,
    ),
    ...['2', 'yes', 'TRUE', 2, -1, [], {}, [true]].map((raw) => [flag, raw] as const),
    ...[1, true, [], ['a'], {}].map((raw) => [text, raw] as const),
  ])('refuses for %j the value %j', (parameter, raw) => {
    expect(() => parseValue('x', parameter, raw)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', parameter: 'x' }),
    );
  });
});
