import { expect, it } from 'vitest';

import type { Lack } from './dialogue-pace.ts';
import { createEviction, findVictim } from './find-victim.ts';

const of = (name: string, lack?: Lack, ageMs = 0) => ({
  name,
  findLack: () => lack && { lack, ageMs },
});

it('is the oldest of those that have got the least far', () => {
  const all = [
    of('busy'),
    of('slow', 'speed', 900_000),
    of('idle', 'message', 60_000),
    of('young', 'recipient', 4000),
    of('old', 'recipient', 5000),
  ];
  const order: string[] = [];
  for (let left = all; ;) {
    const victim = findVictim(left, 0);
    if (!victim) break;
    order.push(victim.name);
    left = left.filter((one) => one !== victim);
  }
  expect(order).toEqual(['old', 'young', 'idle', 'slow']);
});

it('is not searched for again at once where there is none', () => {
  let looks = 0;
  const kept = { findLack: () => void (looks += 1), evict: () => undefined };
  const evict = createEviction(new Set([kept]));
  for (let count = 0; count < 1000; count++) expect(evict()).toBe(false);
  expect(looks).toBeLessThan(1000);
});
