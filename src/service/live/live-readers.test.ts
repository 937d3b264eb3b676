import { describe, expect, it, vi } from 'vitest';

import type { SessionKey } from '../../domain/session.ts';
import { createSessionBus } from '../../events/session-bus.ts';
import { createLiveReaders } from './live-readers.ts';

const keyOf = (number: number): SessionKey => Buffer.alloc(16, number) as Uint8Array as SessionKey;
const limits = {
  streamsPerSession: 2,
  waitsPerSession: 3,
  readersMax: 4,
  streamsPerAddress: Infinity,
  waitsPerAddress: Infinity,
};
const callbacks = { onWake: () => undefined, onClose: () => undefined };

function create() {
  const readers = createLiveReaders(createSessionBus(), limits);
  const enter = (kind: 'stream' | 'wait', session: number): (() => void) =>
    readers.enter(kind, keyOf(session), { ...callbacks });
  return { readers, enter };
}

describe('enter', () => {
  it('bounds streams and waits of a session, each alone', () => {
    const { enter } = create();
    enter('stream', 1);
    enter('stream', 1);
    expect(() => enter('stream', 1)).toThrow('too_many_streams');
    enter('wait', 1);
    enter('stream', 2);
  });

  it('bounds those of one address, and ten times as many of its /24 or /48', () => {
    const bus = createSessionBus();
    const readers = createLiveReaders(bus, { ...limits, readersMax: 1000, streamsPerAddress: 2 });
    const enter = (session: number, network: string): (() => void) =>
      readers.enter('stream', keyOf(session), { ...callbacks, network });
    for (const toNetwork of [
      (at: number) => `192.0.2.${at}`,
      (at: number) => `2001:db8:7:${at.toString(16)}::/64`,
    ]) {
      let left = 0;
      for (let at = 0; at < 25; at++) {
        try {
          enter(at, toNetwork(at));
        } catch (error) {
          expect(String(error)).toContain('too_many_streams: Your address has 20 event streams open');
          left += 1;
        }
      }
      expect(left).toBe(5);
    }
    const leave = enter(100, '198.51.100.1');
    enter(101, '198.51.100.1');
    expect(() => enter(102, '198.51.100.1')).toThrow('Your address has 2 event streams open');
    leave();
    enter(102, '198.51.100.1');
  });

  it('bounds all readers together', () => {
    const { enter } = create();
    for (const session of [1, 2, 3, 4]) enter('wait', session);
    expect(() => enter('wait', 5)).toThrow('unavailable');
  });

  it('has room again for each one that leaves, once', () => {
    const { readers, enter } = create();
    const leave = enter('stream', 1);
    enter('stream', 1);
    leave();
    leave();
    enter('stream', 1);
    expect(() => enter('stream', 1)).toThrow('too_many_streams');
    expect(readers.count()).toBe(2);
  });
});

describe('isAwaited', () => {
  it('is true of a session as long as it has a reader of either kind', () => {
    const { readers, enter } = create();
    const leaves = [enter('stream', 1), enter('wait', 1)];
    expect([readers.isAwaited(keyOf(1)), readers.isAwaited(keyOf(2))]).toEqual([true, false]);
    leaves[0]?.();
    expect(readers.isAwaited(keyOf(1))).toBe(true);
    leaves[1]?.();
    expect(readers.isAwaited(keyOf(1))).toBe(false);
  });
});

describe('close', () => {
  it('tells every reader and admits no more', () => {
    const { readers, enter } = create();
    const onClose = vi.fn();
    readers.enter('stream', keyOf(1), { ...callbacks, onClose });
    readers.enter('wait', keyOf(1), { ...callbacks, onClose });
    readers.close();
    expect(onClose).toHaveBeenCalledTimes(2);
    expect(() => enter('wait', 2)).toThrow('shutting down');
  });
});
