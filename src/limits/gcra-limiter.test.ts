import { expect, it } from 'vitest';

import { GcraLimiter } from './gcra-limiter.ts';

function limiterAt(rate: ConstructorParameters<typeof GcraLimiter>[0]) {
  const time = { now: 1_000_000 };
  return { time, limiter: new GcraLimiter(rate, () => time.now) };
}

it('allows a whole burst at once and then one event per spacing', () => {
  const { time, limiter } = limiterAt({ count: 60, periodMs: 60_000 });
  for (let i = 0; i < 60; i++) expect(limiter.take('a').isAllowed).toBe(true);
  expect(limiter.take('a')).toEqual({ isAllowed: false, retryAfterMs: 1000, remaining: 0 });
  time.now += 999;
  expect(limiter.take('a').retryAfterMs).toBeCloseTo(1);
  time.now += 1;
  expect(limiter.take('a').isAllowed).toBe(true);
  expect(limiter.take('a').isAllowed).toBe(false);
});

it('tells what remains and does not count what it refused', () => {
  const { limiter } = limiterAt({ count: 3, periodMs: 3000 });
  expect([limiter.take('a'), limiter.take('a'), limiter.take('a')].map((one) => one.remaining)).toEqual([
    2, 1, 0,
  ]);
  for (let i = 0; i < 100; i++) expect(limiter.take('a').retryAfterMs).toBe(1000);
});

it('keeps keys apart', () => {
  const { limiter } = limiterAt({ count: 1, periodMs: 1000 });
  expect(limiter.take('a').isAllowed).toBe(true);
  expect(limiter.take('b').isAllowed).toBe(true);
  expect(limiter.take('a').isAllowed).toBe(false);
});

it('never refuses without a limit', () => {
  const { limiter } = limiterAt({ count: Infinity, periodMs: 1000 });
  for (let i = 0; i < 1000; i++) expect(limiter.take('a').isAllowed).toBe(true);
});

it('holds a bounded number of keys, and forgets those first that are free again', () => {
  const { time, limiter } = limiterAt({ count: 1, periodMs: 1000 });
  for (let i = 0; i < 60_000; i++) limiter.take(`old ${i}`);
  time.now += 1000;
  limiter.take('busy');
  for (let i = 0; i < 60_000; i++) limiter.take(`new ${i}`);
  expect(limiter.take('busy').isAllowed).toBe(false);
  expect(limiter.take('old 1').isAllowed).toBe(true);
});

it('never refuses longer than a period when the clock stands still', () => {
  const { limiter } = limiterAt({ count: 10, periodMs: 1000, burst: 1 });
  expect(limiter.take('a').isAllowed).toBe(true);
  expect(limiter.take('a').retryAfterMs).toBe(100);
});
