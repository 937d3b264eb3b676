import { expect, it, onTestFinished, vi } from 'vitest';

import type { SessionKey } from '../../domain/session.ts';
import { epochMs } from '#sealing/sealer';
import { createSessionCaches } from './session-caches.ts';

it('hold no content minutes after its last use, whatever the store, without anything that asks for it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const key = Buffer.alloc(16, 1) as Uint8Array as SessionKey;
  const caches = createSessionCaches();
  const value = { secret: 'The fox jumps.' };
  const held = new Set<object>();
  for (const cache of [caches.lists, caches.parsedMessages, caches.safeHtml, caches.answers, caches.heads]) {
    await cache.make(key, '1', () => Promise.resolve({ value: value as never, weight: 1 }));
    held.add(cache);
  }
  vi.advanceTimersByTime(epochMs / 2);
  expect(caches.lists.get(key, '1')).toBe(value);
  vi.advanceTimersByTime(epochMs - 1000);
  expect(caches.lists.get(key, '1')).toBe(value);
  expect(caches.answers.get(key, '1')).toBeUndefined();
  vi.advanceTimersByTime(epochMs + 10_000);
  // Timers end with the last entry.
  expect([held.size, vi.getTimerCount()]).toEqual([5, 0]);
});
