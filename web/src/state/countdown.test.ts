import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { startCountdown } from './countdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('goes on after it was held with what was left, but two seconds at least', () => {
  const done = vi.fn();
  const countdown = startCountdown(5000, done);
  vi.advanceTimersByTime(1000);
  countdown.hold();
  countdown.hold();
  vi.advanceTimersByTime(60_000);
  countdown.release();
  countdown.release();
  vi.advanceTimersByTime(3999);
  expect(done).not.toHaveBeenCalled();
  countdown.hold();
  countdown.release();
  vi.advanceTimersByTime(1999);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(done).toHaveBeenCalledOnce();
});

it('never comes once it has ended', () => {
  const done = vi.fn();
  const countdown = startCountdown(1000, done);
  countdown.end();
  vi.advanceTimersByTime(5000);
  expect(done).not.toHaveBeenCalled();
});
