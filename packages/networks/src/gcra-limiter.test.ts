import { expect, it } from 'vitest';

import { GcraLimiter } from './gcra-limiter.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

function limiterAt(rate: ConstructorParameters<typeof GcraLimiter>[0]) {
  const time = { now: 1_000_000 };
  return { time, limiter: new GcraLimiter(rate, () => time.now) };
}

it('allows a whole burst at once and then one event per spacing', () => {
  const { time, limiter } = limiterAt({ count: 60, periodMs: 60_000 });
  for (let i = 0; i < 60; i++) expect(limiter.take('a').isAllowed).toBe(true);
  expect(limiter.take('a')).toEqual({ isAllowed: false, retryAfterMs: 1000, remaining: 0, resetMs: 60_000 });
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
  for (let i = 0; i < 90_000; i++) limiter.take(`old ${i}`);
  time.now += 1001;
  limiter.take('busy');
  for (let i = 0; i < 90_000; i++) limiter.take(`new ${i}`);
  expect(limiter.take('busy').isAllowed).toBe(false);
  expect(limiter.take('old 1').isAllowed).toBe(true);
});

it('never refuses longer than a period when the clock stands still', () => {
  const { limiter } = limiterAt({ count: 10, periodMs: 1000 });
  for (let i = 0; i < 10; i++) expect(limiter.take('a').isAllowed).toBe(true);
  expect(limiter.take('a').retryAfterMs).toBe(100);
});

it('never remembers a key for less than the time in which it matters', () => {
  const { time, limiter } = limiterAt({ count: 60, periodMs: 60_000 });
  for (let i = 0; i < 60; i++) limiter.take('busy');
  for (let second = 0; second < 59; second++) {
    time.now += 1000;
    limiter.take(`other ${second}`);
    expect(limiter.take('busy').isAllowed).toBe(true);
    expect(limiter.take('busy').isAllowed).toBe(false);
  }
});

it('looks without counting, and sees what take would say', () => {
  const { time, limiter } = limiterAt({ count: 2, periodMs: 2000 });
  expect(limiter.look('a')).toEqual({ isAllowed: true, retryAfterMs: 0, remaining: 2, resetMs: 0 });
  limiter.take('a');
  expect(limiter.look('a')).toEqual({ isAllowed: true, retryAfterMs: 0, remaining: 1, resetMs: 1000 });
  limiter.take('a');
  time.now += 500;
  expect(limiter.look('a')).toEqual({ isAllowed: false, retryAfterMs: 500, remaining: 0, resetMs: 1500 });
  expect(limiter.take('a')).toEqual({ isAllowed: false, retryAfterMs: 500, remaining: 0, resetMs: 1500 });
});

it('says whether a key is spent as take would, and of one it has never seen that it is not', () => {
  const { time, limiter } = limiterAt({ count: 2, periodMs: 2000 });
  expect(limiter.isSpent('a')).toBe(false);
  for (let step = 0; step < 50; step++) {
    time.now += (step * 137) % 700;
    expect(limiter.isSpent('a')).toBe(!limiter.look('a').isAllowed);
    expect(limiter.isSpent('b')).toBe(false);
    limiter.take('a');
  }
});

it('costs the same however many keys there are, known or new', () => {
  const { limiter } = limiterAt({ count: 1, periodMs: 3_600_000 });
  const timeOf = (first: number): number =>
    cpuMsOf(() => {
      for (let i = first; i < first + 100_000; i++) limiter.take(`key ${i}`);
    });
  const start = timeOf(0);
  let worst = 0;
  for (let round = 1; round < 8; round++) worst = Math.max(worst, timeOf(round * 100_000));
  expect(worst).toBeLessThan(20 * start + 100);
});
