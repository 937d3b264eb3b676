import { expect, it } from 'vitest';

import { formatTimestamp, secondsLeft } from './timestamp.ts';

it.each([
  [0, '1970-01-01 00:00:00'],
  [999, '1970-01-01 00:00:00'],
  [Date.UTC(2026, 1, 28, 23, 59, 59, 999), '2026-02-28 23:59:59'],
  [Date.UTC(2028, 1, 29), '2028-02-29 00:00:00'],
  [Date.UTC(2038, 0, 19, 3, 14, 8), '2038-01-19 03:14:08'],
  [Date.UTC(9999, 11, 31, 23, 59, 59), '9999-12-31 23:59:59'],
  [-1, '1969-12-31 23:59:59'],
])('writes %d as %s, in UTC and without fractions', (at, text) => {
  expect(formatTimestamp(at)).toBe(text);
});

it.each([
  [10_000, 0, 10],
  [10_999, 0, 10],
  [10_000, 9_001, 0],
  [10_000, 10_000, 0],
  [10_000, 99_000, 0],
])('from %2$d to %1$d tells whole seconds, never negative', (endsAt, now, seconds) => {
  expect(secondsLeft(endsAt, now)).toBe(seconds);
});
