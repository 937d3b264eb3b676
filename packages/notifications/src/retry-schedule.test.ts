import { expect, it } from 'vitest';

import { challengeDelayAfter, delayAfter } from './retry-schedule.ts';

const middle = (): number => 0.5;

it('comes back after 1 s, 5 s, 30 s, 2 min, 15 min and then hourly', () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 27].map((tries) => delayAfter(tries, middle) / 1000);
  expect(seconds).toEqual([1, 5, 30, 120, 900, 3600, 3600, 3600]);
});

it('spreads by a tenth to either side', () => {
  expect([delayAfter(3, () => 0), delayAfter(3, () => 1)]).toEqual([27_000, 33_000]);
});

it('gives a challenge three chances', () => {
  expect([1, 2, 3].map(challengeDelayAfter)).toEqual([5000, 30_000, undefined]);
});
