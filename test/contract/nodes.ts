// Contract: the list of processes that share a store. For stores shared by nodes.

import { expect, it } from 'vitest';

import type { NodeStore } from '../../src/store/node-store.ts';
import { dayMs, hourMs, type OpenedStore, openForTest, type OpenStore } from './store-fixture.ts';

const node = { run: 'r1', place: 'p', host: 'one', version: '1.2.3', roles: ['smtp', 'http'] };

function nodesOf({ shared }: OpenedStore): NodeStore {
  if (!shared) throw new Error('The store is not shared.');
  return shared.nodes;
}

export function nodeContract(open: OpenStore): void {
  it('lists processes with their start and when they were last seen', async () => {
    const store = await openForTest(open);
    const startedAt = store.clock.now();
    await nodesOf(store).beat(node, dayMs);
    await nodesOf(store).beat({ ...node, run: 'r0', host: 'two', roles: [] }, dayMs);
    store.clock.advance(hourMs);
    await nodesOf(store).beat(node, dayMs);
    expect(await nodesOf(store).listNodes()).toEqual([
      { ...node, startedAt, seenAt: startedAt + hourMs },
      { ...node, run: 'r0', host: 'two', roles: [], startedAt, seenAt: startedAt },
    ]);
  });

  it('tells what is off at the database server, and how many connections it has and allows', async () => {
    const { shared } = await openForTest(open);
    const server = await shared?.readServer();
    // As the servers of these tests are set up.
    expect(server?.off).toEqual(expect.arrayContaining(['fsync']));
    expect(server?.connections).toBeGreaterThan(0);
    expect(server?.connectionsMax).toBeGreaterThan(server?.connections ?? Infinity);
  });

  it('forgets those that left, and those unseen for long', async () => {
    const store = await openForTest(open);
    for (const run of ['r1', 'r2']) await nodesOf(store).beat({ ...node, run }, dayMs);
    await nodesOf(store).leave('r2');
    expect((await nodesOf(store).listNodes()).map(({ run }) => run)).toEqual(['r1']);
    store.clock.advance(dayMs + 1);
    await nodesOf(store).beat({ ...node, run: 'r3' }, dayMs);
    expect((await nodesOf(store).listNodes()).map(({ run }) => run)).toEqual(['r3']);
  });
}
