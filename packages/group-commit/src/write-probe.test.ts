import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { WriteProbe } from './write-probe.ts';

class Refused extends Error {}
const faults = { isRefused: (error: unknown) => error instanceof Refused };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('writes nothing until a write is refused, then until one is taken', async () => {
  let failure: Error | undefined = new Refused('EDQUOT');
  const write = vi.fn(() => (failure ? Promise.reject(failure) : Promise.resolve()));
  const probe = new WriteProbe(write, faults);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([write.mock.calls.length, probe.isRefused]).toEqual([0, false]);
  probe.recordRefusal();
  probe.recordRefusal();
  await vi.advanceTimersByTimeAsync(0);
  expect([write.mock.calls.length, probe.isRefused]).toEqual([1, true]);
  await vi.advanceTimersByTimeAsync(4000);
  expect([write.mock.calls.length, probe.isRefused]).toEqual([3, true]);
  failure = undefined;
  await vi.advanceTimersByTimeAsync(2000);
  expect([write.mock.calls.length, probe.isRefused]).toEqual([4, false]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(write).toHaveBeenCalledTimes(4);
});

it('is not refused when only the larger write was', async () => {
  const probe = new WriteProbe(() => Promise.resolve(), faults);
  probe.recordRefusal();
  await vi.advanceTimersByTimeAsync(0);
  expect(probe.isRefused).toBe(false);
});

it('writes nothing after it is closed', async () => {
  const write = vi.fn(() => Promise.reject(new Refused('EROFS')));
  const probe = new WriteProbe(write, faults);
  probe.recordRefusal();
  await vi.advanceTimersByTimeAsync(0);
  probe.close();
  probe.recordRefusal();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(write).toHaveBeenCalledTimes(1);
});
