import { expect, it } from 'vitest';

import { checked, integer, limit, list, oneOf, port, text } from './setting.ts';

it('takes whole numbers within the range, in decimal digits alone', () => {
  const setting = integer({ min: 5, max: 2000 }, 7, 'So many.');
  expect(setting).toMatchObject({
    fallback: '7',
    type: 'whole number from 5 to 2000',
    description: 'So many.',
  });
  expect(['5', '0010', '2000'].map(setting.parse)).toEqual([5, 10, 2000]);
  for (const wrong of ['', '4', '2001', '-5', '+5', '5.0', '1e3', '0x10', ' 5', '5\n', '٥', '9'.repeat(17)]) {
    expect(() => setting.parse(wrong)).toThrow('must be a whole number from 5 to 2000');
  }
});

it('takes port 0, for a free one', () => {
  expect(port(25, '').parse('0')).toBe(0);
  expect(() => port(25, '').parse('65536')).toThrow('65535');
});

it('takes 0 of a limit for none', () => {
  const setting = limit(10, 3, '');
  expect(['0', '1', '10'].map(setting.parse)).toEqual([Infinity, 1, 10]);
  expect(setting.type).toBe('whole number from 0 to 10; 0 = none');
  expect(() => setting.parse('11')).toThrow('from 0 to 10');
});

it('takes one of some words in any case', () => {
  const setting = oneOf(['info', 'debug'], 'info', '');
  expect(setting.parse('DeBug')).toBe('debug');
  expect(() => setting.parse('toString')).toThrow('must be one of info, debug');
});

it('takes a list apart at commas, frozen, without blanks and empty entries', () => {
  const setting = list('', '');
  expect(setting.parse(' a ,, b c,')).toEqual(['a', 'b c']);
  expect(setting.parse('')).toEqual([]);
  expect(Object.isFrozen(setting.parse('a'))).toBe(true);
});

it('narrows by a further check and says what it wants', () => {
  const even = checked(integer({ min: 0, max: 9 }, 0, ''), 'an even digit', (n) =>
    n % 2 === 0 ? `${n}!` : undefined,
  );
  expect(even.parse('4')).toBe('4!');
  expect(() => even.parse('3')).toThrow('must be an even digit');
  expect(text('a', '').parse('b')).toBe('b');
});
