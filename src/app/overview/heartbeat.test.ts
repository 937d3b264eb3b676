import { expect, it } from 'vitest';

import type { StoredNode } from '../../store/node-store.ts';
import { aliveMs, toOverviewNodes } from './heartbeat.ts';

const now = 10_000_000;
const node = (run: string, given: Partial<StoredNode> = {}): StoredNode => ({
  run,
  place: run,
  host: run,
  version: '1',
  roles: ['http'],
  startedAt: 1,
  seenAt: now,
  ...given,
});

it('tells which nodes are alive, and which one answers', () => {
  const stored = [node('own'), node('late', { seenAt: now - aliveMs }), node('gone', { seenAt: 5 })];
  const listed = toOverviewNodes(stored, { now, ownRun: 'own' });
  expect(listed.map(({ host, isAlive, isSelf }) => [host, isAlive, isSelf])).toEqual([
    ['own', true, true],
    ['late', true, false],
    ['gone', false, false],
  ]);
});

it('leaves out a run that died where a later one has begun', () => {
  const stored = [
    node('first', { place: 'a', seenAt: 1 }),
    node('second', { place: 'a', seenAt: 2 }),
    node('third', { place: 'a' }),
    node('other', { place: 'b', seenAt: 3 }),
  ];
  expect(toOverviewNodes(stored, { now, ownRun: undefined }).map(({ host }) => host)).toEqual([
    ...['third', 'other'],
  ]);
});
