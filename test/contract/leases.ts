// Contract: the right of one node to do a job. Part of mail-store.ts.

import { expect, it } from 'vitest';

import { hourMs, minuteMs, openForTest, type OpenStore } from './store-fixture.ts';

export function leaseContract(open: OpenStore): void {
  it('gives a lease to one of many who want it at once', async () => {
    const store = await openForTest(open);
    const holders = Array.from({ length: 10 }, (_, at) => `node-${at}`);
    const taken = await Promise.all(holders.map((holder) => store.leases.takeLease('job', holder, minuteMs)));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('lets its holder take it again under the same epoch, and nobody else until it has run out', async () => {
    const store = await openForTest(open);
    const first = await store.leases.takeLease('job', 'a', minuteMs);
    expect(first).toMatchObject({ name: 'job', holder: 'a' });
    store.clock.advance(minuteMs - 1);
    expect(await store.leases.takeLease('job', 'b', minuteMs)).toBeUndefined();
    expect(await store.leases.takeLease('job', 'a', minuteMs)).toEqual(first);
    store.clock.advance(minuteMs - 1);
    expect(await store.leases.takeLease('job', 'b', minuteMs)).toBeUndefined();
    store.clock.advance(1);
    const second = await store.leases.takeLease('job', 'b', minuteMs);
    expect(second?.holder).toBe('b');
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? Infinity);
    expect(await store.leases.takeLease('job', 'a', minuteMs)).toBeUndefined();
  });

  it('keeps its epoch when it ran out and nobody took it', async () => {
    const store = await openForTest(open);
    const first = await store.leases.takeLease('job', 'a', minuteMs);
    store.clock.advance(hourMs);
    expect(await store.leases.takeLease('job', 'a', minuteMs)).toEqual(first);
  });

  it('is free at once when it is released, by its holder alone, and has a new epoch then', async () => {
    const store = await openForTest(open);
    const first = await store.leases.takeLease('job', 'a', hourMs);
    if (!first) throw new Error('Not taken.');
    await store.leases.releaseLease({ ...first, holder: 'b' });
    await store.leases.releaseLease({ ...first, epoch: first.epoch - 1 });
    expect(await store.leases.takeLease('job', 'b', hourMs)).toBeUndefined();
    await store.leases.releaseLease(first);
    const second = await store.leases.takeLease('job', 'b', hourMs);
    expect(second?.epoch).toBeGreaterThan(first.epoch);
    // The old holder does not know yet.
    await store.leases.releaseLease(first);
    expect(await store.leases.takeLease('job', 'a', hourMs)).toBeUndefined();
  });

  it('tells leases of different names apart, and keeps them when it is opened again', async () => {
    const store = await openForTest(open);
    const one = await store.leases.takeLease('one', 'a', hourMs);
    expect(await store.leases.takeLease('other', 'b', hourMs)).toMatchObject({ holder: 'b' });
    await store.reopen();
    expect(await store.leases.takeLease('one', 'b', hourMs)).toBeUndefined();
    expect(await store.leases.takeLease('one', 'a', hourMs)).toEqual(one);
  });
}
