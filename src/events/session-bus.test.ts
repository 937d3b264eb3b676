import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { SessionKey } from '../domain/session.ts';
import { createSessionBus } from './session-bus.ts';

const keyOf = (number: number): SessionKey => Buffer.alloc(16, number) as Uint8Array as SessionKey;

function createBus() {
  const bus = createSessionBus();
  onTestFinished(() => {
    bus.close();
  });
  return bus;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('wake', () => {
  it('calls the watchers of that session in a later turn, once for many wakes', () => {
    const bus = createBus();
    const [first, second, other] = [vi.fn(), vi.fn(), vi.fn()];
    bus.subscribe(keyOf(1), first);
    bus.subscribe(keyOf(1), second);
    bus.subscribe(keyOf(2), other);
    for (let count = 0; count < 100; count++) bus.wake(keyOf(1));
    expect(first).not.toHaveBeenCalled();
    vi.advanceTimersByTime(0);
    expect([first, second, other].map((watcher) => watcher.mock.calls.length)).toEqual([1, 1, 0]);
    bus.wake(keyOf(1));
    vi.advanceTimersByTime(0);
    expect(first).toHaveBeenCalledTimes(2);
  });

  it('keeps apart keys that are views of one buffer', () => {
    const bus = createBus();
    const both = Buffer.concat([Buffer.alloc(16, 1), Buffer.alloc(16, 2)]);
    const watcher = vi.fn();
    bus.subscribe(both.subarray(16) as Uint8Array as SessionKey, watcher);
    bus.wake(both.subarray(0, 16) as Uint8Array as SessionKey);
    vi.advanceTimersByTime(0);
    expect(watcher).not.toHaveBeenCalled();
    bus.wake(keyOf(2));
    vi.advanceTimersByTime(0);
    expect(watcher).toHaveBeenCalledTimes(1);
  });

  it('does not call listeners that have left, even for an earlier wake', () => {
    const bus = createBus();
    const watcher = vi.fn();
    const leave = bus.subscribe(keyOf(1), watcher);
    bus.wake(keyOf(1));
    leave();
    leave();
    vi.advanceTimersByTime(10_000);
    expect(watcher).not.toHaveBeenCalled();
  });

  it('still wakes who came anew under a key that all had left', () => {
    const bus = createBus();
    const [old, renewed] = [vi.fn(), vi.fn()];
    const leave = bus.subscribe(keyOf(1), old);
    leave();
    bus.subscribe(keyOf(1), renewed);
    leave();
    bus.wake(keyOf(1));
    vi.advanceTimersByTime(0);
    expect(renewed).toHaveBeenCalledTimes(1);
  });
});

describe('without a wake', () => {
  it('calls every watcher within 2.1 s, spread over many turns', () => {
    const bus = createBus();
    const watchers = Array.from({ length: 200 }, (_, at) => {
      const watcher = vi.fn();
      bus.subscribe(keyOf(at), watcher);
      return watcher;
    });
    vi.advanceTimersByTime(60);
    const early = watchers.filter((watcher) => watcher.mock.calls.length > 0).length;
    expect(early).toBeGreaterThan(0);
    expect(early).toBeLessThan(20);
    vi.advanceTimersByTime(2100);
    expect(watchers.filter((watcher) => watcher.mock.calls.length === 0)).toEqual([]);
  });

  it('keeps no timer without listeners', () => {
    const bus = createBus();
    const leave = bus.subscribe(keyOf(1), () => undefined);
    expect(vi.getTimerCount()).toBe(1);
    leave();
    expect(vi.getTimerCount()).toBe(0);
  });
});
