import { expect, it } from 'vitest';

import type { Lack } from './dialogue-pace.ts';
import { createEviction, findVictim, isCrowd } from './find-victim.ts';

const stranger = { siteConnections: 0 };

const of = (name: string, lack?: Lack, ageMs = 0) => ({
  name,
  findWeakness: () => lack && { lack, ageMs, isOfCrowd: name.endsWith('of a crowd') },
});

it('is the oldest of those that have got the least far', () => {
  const all = [
    of('busy'),
    of('slow', 'speed', 900_000),
    of('slow of a crowd', 'speed', 6000),
    of('idle', 'message', 60_000),
    of('young', 'recipient', 4000),
    of('old', 'recipient', 5000),
  ];
  const order: string[] = [];
  for (let left = all; ;) {
    const victim = findVictim(left, 0, stranger);
    if (!victim) break;
    order.push(victim.name);
    left = left.filter((one) => one !== victim);
  }
  expect(order).toEqual(['slow of a crowd', 'old', 'young', 'idle', 'slow']);
});

it('is not searched for again at once where there is none', () => {
  let looks = 0;
  const kept = { findWeakness: () => void (looks += 1), evict: () => undefined };
  const evict = createEviction(new Set([kept]));
  for (let count = 0; count < 1000; count++) expect(evict({ siteConnections: 150 })).toBe(false);
  expect(looks).toBeLessThan(1000);
  looks = 0;
  evict(stranger);
  expect(looks).toBe(1);
});

it('tells a crowd by what the site of the newcomer has', () => {
  expect([7, 8].map((count) => isCrowd(count, stranger))).toEqual([false, true]);
  expect([167, 200].map((count) => isCrowd(count, { siteConnections: 100 }))).toEqual([false, false]);
});
