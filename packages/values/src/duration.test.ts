import { expect, it } from 'vitest';

import { formatDuration, parseDuration } from './duration.ts';

it.each([
  ['30d', 2_592_000, '30d'],
  ['1h30m', 5400, '1h30m'],
  ['1d 2h 3m 4s', 93_784, '1d2h3m4s'],
  ['90m', 5400, '1h30m'],
  ['45s', 45, '45s'],
  ['12H', 43_200, '12h'],
  [' 2592000 ', 2_592_000, '30d'],
  ['0', 0, '0s'],
  ['0d', 0, '0s'],
])('reads %s', (text, seconds, written) => {
  expect(parseDuration(text)).toBe(seconds);
  expect(formatDuration(seconds)).toBe(written);
});

it.each(['', ' ', 'd', '30 days', '1.5h', '-1d', '30d12', '5m1h', '1w', '0x10', '1e3', '30d30d'])(
  'refuses %j',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

it('writes what it reads again', () => {
  for (let seconds = 0; seconds < 400_000; seconds += 997) {
    expect(parseDuration(formatDuration(seconds))).toBe(seconds);
  }
});
