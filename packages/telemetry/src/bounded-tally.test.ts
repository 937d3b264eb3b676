import { expect, it } from 'vitest';

import { BoundedTally } from './bounded-tally.ts';

it('counts each member of each group since the last time, with the latest sample', () => {
  const tally = new BoundedTally<number>({ max: 10, perGroupMax: 10 });
  for (const [group, member, sample] of [
    ['a', 'x', 1],
    ['b', 'x', 2],
    ['a', 'x', 3],
  ] as const) {
    tally.add(group, member, sample);
  }
  expect(tally.take()).toEqual([
    { group: 'a', member: 'x', count: 2, sample: 3 },
    { group: 'b', member: 'x', count: 1, sample: 2 },
  ]);
  expect(tally.take()).toEqual([]);
});

it('counts members beyond the bound of a group together, and leaves room for other groups', () => {
  const tally = new BoundedTally<null>({ max: 6, perGroupMax: 3 });
  for (let at = 0; at < 100_000; at += 1) tally.add('flood', `m${at}`, null);
  tally.add('quiet', 'x', null);
  const taken = tally.take();
  expect(taken.map(({ group, member, count }) => [group, member, count])).toEqual([
    ['flood', 'm0', 1],
    ['flood', 'm1', 1],
    ['flood', 'm2', 1],
    ['flood', '*', 99_997],
    ['quiet', 'x', 1],
  ]);
});

it('holds its bounds for a period, however often counts are taken, and begins anew with the next', () => {
  const tally = new BoundedTally<null>({ max: 2, perGroupMax: 2 });
  const members = (): string[] => tally.take().map(({ member }) => member);
  for (const member of ['a', 'b', 'c']) tally.add('g', member, null);
  expect(members()).toEqual(['a', 'b', '*']);
  for (const member of ['b', 'd', 'e']) tally.add('g', member, null);
  expect(members()).toEqual(['b', '*']);
  tally.restart();
  tally.add('g', 'd', null);
  expect(members()).toEqual(['d']);
});

it('bounds the members of all groups together', () => {
  const tally = new BoundedTally<null>({ max: 3, perGroupMax: 2 });
  for (const group of ['a', 'b', 'c']) for (const member of ['x', 'y']) tally.add(group, member, null);
  expect(tally.take().map(({ group, member }) => group + member)).toEqual(['ax', 'ay', 'bx', 'b*', 'c*']);
});
