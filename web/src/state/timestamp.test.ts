import { describe, expect, it } from 'vitest';

import {
  formatAgo,
  formatCountdown,
  formatShortSpan,
  formatSpan,
  parseTimestamp,
  toSizeWords,
} from './timestamp.ts';

it('reads the timestamps of the service as UTC, and nothing else', () => {
  expect(parseTimestamp('2026-03-01 12:00:05')).toBe(Date.UTC(2026, 2, 1, 12, 0, 5));
  expect(parseTimestamp('2026-03-01T12:00:05Z')).toBeNaN();
  expect(parseTimestamp('')).toBeNaN();
});

describe('the countdown', () => {
  it.each([
    [-5, '0:00'],
    [499, '0:00'],
    [501, '0:01'],
    [59_000, '0:59'],
    [60_000, '1:00'],
    [3_600_000, '1:00:00'],
    [3_845_000, '1:04:05'],
    [176_645_000, '2 d 1:04:05'],
  ])('writes %d ms as %s', (ms, words) => {
    expect(formatCountdown(ms)).toBe(words);
  });
});

it('tells how long ago in the shortest way that is still true', () => {
  const words = { language: 'en', now: 'just now' };
  // Noon where this runs, whose dates are written.
  const now = new Date(2026, 2, 10, 12).getTime();
  expect(formatAgo(now - 59_000, now, words)).toBe('just now');
  // This clock is behind the service's.
  expect(formatAgo(now + 3_000, now, words)).toBe('just now');
  expect(formatAgo(now - 5 * 60_000, now, words)).toBe('5 min. ago');
  expect(formatAgo(now - 2 * 60_000, now, { ...words, language: 'de' })).toBe('vor 2 Min.');
  expect(formatAgo(now - 3 * 3_600_000, now, words)).toMatch(/\d:\d\d/);
  expect(formatAgo(now - 3 * 86_400_000, now, words)).toBe('Mar 7');
});

it('writes spans and sizes', () => {
  expect(formatSpan(600, 'en')).toBe('10 minutes');
  expect(formatSpan(86_400, 'en')).toBe('1 day');
  expect(toSizeWords(830, 'en')).toEqual({ unit: 'bytes', count: '830' });
  expect(toSizeWords(12_345, 'en')).toEqual({ unit: 'kilobytes', count: '12' });
  expect(toSizeWords(3_400_000, 'de')).toEqual({ unit: 'megabytes', count: '3,4' });
});

it('writes what is left in three characters at most', () => {
  const minute = 60_000;
  expect([-5, 1, 59 * minute, 61 * minute].map(formatShortSpan)).toEqual(['0', '1', '59', '61']);
  expect([360 * minute, 24 * 60 * minute, 72 * 60 * minute].map(formatShortSpan)).toEqual([
    '6h',
    '24h',
    '3d',
  ]);
});
