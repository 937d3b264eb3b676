import { expect, it } from 'vitest';

import { createRandom } from '../../test/support/random.ts';
import { LruCache } from './lru-cache.ts';

it('forgets what was not used for longest, by weight', () => {
  const cache = new LruCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  expect(cache.get('a')).toBe('A');
  cache.set('c', 'C', 4);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C']);
  cache.set('d', 'D', 10);
  expect(['a', 'c', 'd'].map((key) => cache.get(key))).toEqual([undefined, undefined, 'D']);
});

it('replaces an entry with its weight', () => {
  const cache = new LruCache<number>(10);
  cache.set('a', 1, 9);
  cache.set('a', 2, 1);
  cache.set('b', 3, 9);
  expect([cache.get('a'), cache.get('b')]).toEqual([2, 3]);
});

it('keeps no entry heavier than the whole, nor what it would replace', () => {
  const cache = new LruCache<number>(10);
  cache.set('a', 1, 5);
  cache.set('b', 2, 5);
  cache.set('a', 3, 11);
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 2]);
});

it('gives back the weight of what is deleted, once', () => {
  const cache = new LruCache<number>(10);
  cache.set('a', 1, 5);
  cache.delete('a');
  cache.delete('a');
  cache.set('b', 2, 5);
  cache.set('c', 3, 5);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 2, 3]);
});

it('does as a plain list of entries does (2,000 random steps, seed 7)', () => {
  const random = createRandom(7);
  const cache = new LruCache<number>(20);
  let model: { key: string; value: number; weight: number }[] = [];
  for (let step = 0; step < 2000; step++) {
    const key = String(random.below(8));
    const known = model.find((entry) => entry.key === key);
    if (random.below(3) === 0) {
      expect(cache.get(key)).toBe(known?.value);
      if (known) model = [...model.filter((entry) => entry !== known), known];
    } else if (random.below(4) === 0) {
      cache.delete(key);
      model = model.filter((entry) => entry !== known);
    } else {
      const weight = random.below(24);
      cache.set(key, step, weight);
      model = model.filter((entry) => entry !== known);
      if (weight <= 20) model.push({ key, value: step, weight });
      while (model.reduce((sum, entry) => sum + entry.weight, 0) > 20) model.shift();
    }
  }
});
