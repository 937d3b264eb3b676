import { expect, it } from 'vitest';

import { Backoff } from './backoff.ts';

const defaultTimes = { backoffMinMs: 1000, backoffMaxMs: 900_000, throttledMs: 300_000 };

it('doubles from a second to fifteen minutes, and starts over', () => {
  const backoff = new Backoff(defaultTimes, () => 1);
  const seconds = Array.from({ length: 12 }, () => backoff.next(false) / 1000);
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  for (let more = 0; more < 2000; more++) expect(backoff.next(false)).toBe(900_000);
  backoff.reset();
  expect(backoff.next(false)).toBe(1000);
});

it('begins with minutes where the server asks for patience', () => {
  const backoff = new Backoff(defaultTimes, () => 1);
  expect([backoff.next(true), backoff.next(true), backoff.next(true)]).toEqual([300_000, 600_000, 900_000]);
});

it('waits between half of what is due and all of it', () => {
  expect(new Backoff(defaultTimes, () => 0).next(false)).toBe(500);
  expect(new Backoff(defaultTimes, () => 0.5).next(false)).toBe(750);
});
