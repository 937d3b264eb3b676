// Parsing the Date field into an instant.
import { describe, expect, it } from 'vitest';
import { parseHeaderDate } from './header-date.ts';

const iso = (value: string): string | null => {
  const date = parseHeaderDate(value);
  return date === null ? null : new Date(date).toISOString();
};

describe('parseHeaderDate', () => {
  it.each([
    ['Fri, 20 Nov 2026 09:15:00 +0100', '2026-11-20T08:15:00.000Z'],
    ['20 Nov 2026 09:15 -0330 (Newfoundland)', '2026-11-20T12:45:00.000Z'],
    ['Fri, 20 Nov 26 09:15:07 EST', '2026-11-20T14:15:07.000Z'],
    ['1 January 2000 00:00:00 GMT', '2000-01-01T00:00:00.000Z'],
    ['Sat, 31 Dec 2016 23:59:60 +0000', '2016-12-31T23:59:59.000Z'],
    ['29 Feb 2024 00:00:00 Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (value, expected) => {
    expect(iso(value)).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '31 Feb 2026 00:00 +0000',
    '1 Foo 2026 00:00',
    '1 Jan 2026 25:00',
    '2026-11-20',
    '('.repeat(9_999),
  ])('returns null for %s', (value) => {
    expect(parseHeaderDate(value)).toBeNull();
  });
});
