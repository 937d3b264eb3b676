import { afterEach, describe, expect, it, vi } from 'vitest';

import { createRandom } from '../../../test/support/random.ts';
import type { SessionKey } from '../../domain/session.ts';
import { SessionCache } from './session-cache.ts';

const [one, other] = [1, 2].map((byte) => new Uint8Array(16).fill(byte) as SessionKey) as [
  SessionKey,
  SessionKey,
];

interface Put<V> {
  readonly value: V;
  readonly weight: number;
  readonly key?: SessionKey;
}

function put<V>(cache: SessionCache<V>, part: string, { value, weight, key = one }: Put<V>): Promise<V> {
  return cache.make(key, part, () => Promise.resolve({ value, weight }));
}

it('forgets what was not used for longest, by weight', async () => {
  const cache = new SessionCache<string>(10);
  await put(cache, 'a', { value: 'A', weight: 4 });
  await put(cache, 'b', { value: 'B', weight: 4 });
  expect(cache.get(one, 'a')).toBe('A');
  await put(cache, 'c', { value: 'C', weight: 4 });
  expect(['a', 'b', 'c'].map((part) => cache.get(one, part))).toEqual(['A', undefined, 'C']);
  await put(cache, 'd', { value: 'D', weight: 10 });
  expect(['a', 'c', 'd'].map((part) => cache.get(one, part))).toEqual([undefined, undefined, 'D']);
});

it('hands out what is heavier than the whole without keeping it, and what it would replace goes', async () => {
  const cache = new SessionCache<number>(10);
  await put(cache, 'a', { value: 1, weight: 5 });
  await put(cache, 'b', { value: 2, weight: 5 });
  expect(await put(cache, 'a', { value: 3, weight: Infinity })).toBe(3);
  expect([cache.get(one, 'a'), cache.get(one, 'b')]).toEqual([undefined, 2]);
});

it('gives back the weight of what is deleted, once', async () => {
  const cache = new SessionCache<number>(10);
  await put(cache, 'a', { value: 1, weight: 5 });
  cache.delete(one, 'a');
  cache.delete(one, 'a');
  await put(cache, 'b', { value: 2, weight: 5 });
  await put(cache, 'c', { value: 3, weight: 5 });
  expect(['a', 'b', 'c'].map((part) => cache.get(one, part))).toEqual([undefined, 2, 3]);
});

it('forgets all of one session and nothing of another', async () => {
  const cache = new SessionCache<number>(10);
  await put(cache, 'a', { value: 1, weight: 2 });
  await put(cache, 'b', { value: 2, weight: 2 });
  await put(cache, 'a', { value: 3, weight: 2, key: other });
  cache.forget(one);
  expect([cache.get(one, 'a'), cache.get(one, 'b'), cache.get(other, 'a')]).toEqual([
    undefined,
    undefined,
    3,
  ]);
  await put(cache, 'c', { value: 4, weight: 8 });
  expect([cache.get(one, 'c'), cache.get(other, 'a')]).toEqual([4, 3]);
});

it.each(['delete', 'forget'] as const)('keeps nothing that was being made at a %s', async (what) => {
  const cache = new SessionCache<number>(10);
  let finish = (): void => undefined;
  const made = cache.make(one, 'a', async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    return { value: 1, weight: 1 };
  });
  if (what === 'delete') cache.delete(one, 'a');
  else cache.forget(one);
  const again = put(cache, 'a', { value: 2, weight: 1 });
  finish();
  expect([await made, await again]).toEqual([1, 2]);
  expect(cache.get(one, 'a')).toBe(2);
});

it('forgets all of all sessions, what is still being made included, and has all its room then', async () => {
  const cache = new SessionCache<number>(10);
  await put(cache, 'a', { value: 1, weight: 5 });
  await put(cache, 'a', { value: 2, weight: 5, key: other });
  let finish = (): void => undefined;
  const making = cache.make(one, 'b', async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    return { value: 3, weight: 1 };
  });
  cache.clear();
  finish();
  expect(await making).toBe(3);
  expect([cache.get(one, 'a'), cache.get(one, 'b'), cache.get(other, 'a')]).toEqual(Array(3).fill(undefined));
  await put(cache, 'a', { value: 4, weight: 10 });
  expect(cache.get(one, 'a')).toBe(4);
});

it('makes once for all who share, and again after a failure', async () => {
  const cache = new SessionCache<number>(10);
  let calls = 0;
  const work = (): Promise<{ value: number; weight: number }> => {
    calls += 1;
    return calls === 1 ? Promise.reject(new Error('busy')) : Promise.resolve({ value: calls, weight: 1 });
  };
  const share = (): Promise<number> => cache.share(one, 'a', work);
  const settled = await Promise.allSettled([share(), share()]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([share(), share()])).toEqual([2, 2]);
  expect(await share()).toBe(2);
  expect(calls).toBe(2);
});

it('does as a plain list of entries does (2,000 random steps, seed 7)', async () => {
  const random = createRandom(7);
  const cache = new SessionCache<number>(20);
  let model: { key: SessionKey; part: string; value: number; weight: number }[] = [];
  for (let step = 0; step < 2000; step++) {
    const key = random.below(2) === 0 ? one : other;
    const part = String(random.below(6));
    const known = model.find((entry) => entry.key === key && entry.part === part);
    const choice = random.below(20);
    if (choice < 8) {
      expect(cache.get(key, part)).toBe(known?.value);
      if (known) model = [...model.filter((entry) => entry !== known), known];
    } else if (choice < 10) {
      cache.delete(key, part);
      model = model.filter((entry) => entry !== known);
    } else if (choice === 10) {
      cache.forget(key);
      model = model.filter((entry) => entry.key !== key);
    } else {
      const weight = random.below(24);
      await put(cache, part, { value: step, weight, key });
      model = model.filter((entry) => entry !== known);
      if (weight <= 20) model.push({ key, part, value: step, weight });
      while (model.reduce((sum, entry) => sum + entry.weight, 0) > 20) model.shift();
    }
  }
});

describe('where ends of sessions may go unheard', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function createIdling(): SessionCache<string> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    return new SessionCache<string>(10, 50_000);
  }

  it('forgets what was not used for a while, and keeps what is used', async () => {
    const cache = createIdling();
    await put(cache, 'a', { value: 'A', weight: 5 });
    await put(cache, 'b', { value: 'B', weight: 5, key: other });
    vi.advanceTimersByTime(49_000);
    expect(cache.get(one, 'a')).toBe('A');
    vi.advanceTimersByTime(2000);
    expect([cache.get(one, 'a'), cache.get(other, 'b')]).toEqual(['A', undefined]);
    await put(cache, 'c', { value: 'C', weight: 5 });
    expect([cache.get(one, 'a'), cache.get(one, 'c')]).toEqual(['A', 'C']);
  });

  it('needs no timer where every end is noticed', async () => {
    createIdling();
    await put(new SessionCache<string>(10), 'a', { value: 'A', weight: 5 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has it out of memory within a minute, though nothing asks for it', async () => {
    const cache = createIdling();
    await put(cache, 'a', { value: 'A', weight: 5 });
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(55_000);
    // Nothing is left to be tidied away, or the timer would go on.
    expect(vi.getTimerCount()).toBe(0);
    expect(cache.get(one, 'a')).toBeUndefined();
  });

  it('counts from when the making of it began', async () => {
    const cache = createIdling();
    let finish = (): void => undefined;
    const made = cache.make(one, 'a', async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { value: 'A', weight: 1 };
    });
    vi.advanceTimersByTime(40_000);
    finish();
    await made;
    vi.advanceTimersByTime(10_000);
    expect(cache.get(one, 'a')).toBeUndefined();
  });

  it('never forgets by time where all ends are heard of', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const cache = new SessionCache<string>(10);
    await put(cache, 'a', { value: 'A', weight: 5 });
    vi.advanceTimersByTime(3_600_000);
    expect(cache.get(one, 'a')).toBe('A');
  });
});
