import { expect, it } from 'vitest';

import type { Lack } from './dialogue-pace.ts';
import { findVictim } from './find-victim.ts';

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
