// Contract: the right of one node to do a job. For stores shared by nodes.

import { expect, it } from 'vitest';

import type { LeaseStore } from '../../src/store/lease-store.ts';
import { hourMs, minuteMs, type OpenedStore, openForTest, type OpenStore } from './store-fixture.ts';

function leasesOf({ shared }: OpenedStore): LeaseStore {
  if (!shared) throw new Error('The store is not shared.');
  return shared.leases;
}

export function leaseContract(open: OpenStore): void {
  it('gives a lease to one of many concurrent callers', async () => {
    const store = await openForTest(open);
    const holders = Array.from({ length: 10 }, (_, at) => `node-${at}`);
    const taken = await Promise.all(
      holders.map((holder) => leasesOf(store).takeLease('job', holder, minuteMs)),
    );
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('lets its holder renew it under the same epoch, and others take it only once it has expired', async () => {
    const store = await openForTest(open);
    const first = await leasesOf(store).takeLease('job', 'a', minuteMs);
    expect(first).toMatchObject({ name: 'job', holder: 'a' });
    store.clock.advance(minuteMs - 1);
    expect(await leasesOf(store).takeLease('job', 'b', minuteMs)).toBeUndefined();
    expect(await leasesOf(store).takeLease('job', 'a', minuteMs)).toEqual(first);
    store.clock.advance(minuteMs - 1);
    expect(await leasesOf(store).takeLease('job', 'b', minuteMs)).toBeUndefined();
    store.clock.advance(1);
    const second = await leasesOf(store).takeLease('job', 'b', minuteMs);
    expect(second?.holder).toBe('b');
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? Infinity);
    expect(await leasesOf(store).takeLease('job', 'a', minuteMs)).toBeUndefined();
  });

  it('keeps its epoch when it expired without being taken', async () => {
    const store = await openForTest(open);
    const first = await leasesOf(store).takeLease('job', 'a', minuteMs);
    store.clock.advance(hourMs);
    expect(await leasesOf(store).takeLease('job', 'a', minuteMs)).toEqual(first);
  });

  it('is free at once when released, which only its holder can do, and then has a new epoch', async () => {
    const store = await openForTest(open);
    const first = await leasesOf(store).takeLease('job', 'a', hourMs);
    if (!first) throw new Error('Not taken.');
    await leasesOf(store).releaseLease({ ...first, holder: 'b' });
    await leasesOf(store).releaseLease({ ...first, epoch: first.epoch - 1 });
    expect(await leasesOf(store).takeLease('job', 'b', hourMs)).toBeUndefined();
    await leasesOf(store).releaseLease(first);
    const second = await leasesOf(store).takeLease('job', 'b', hourMs);
    expect(second?.epoch).toBeGreaterThan(first.epoch);
    // The old holder has not noticed yet.
    await leasesOf(store).releaseLease(first);
    expect(await leasesOf(store).takeLease('job', 'a', hourMs)).toBeUndefined();
  });

  it('separates leases of different names, and keeps them when reopened', async () => {
    const store = await openForTest(open);
    const one = await leasesOf(store).takeLease('one', 'a', hourMs);
    expect(await leasesOf(store).takeLease('other', 'b', hourMs)).toMatchObject({ holder: 'b' });
    await store.reopen();
    expect(await leasesOf(store).takeLease('one', 'b', hourMs)).toBeUndefined();
    expect(await leasesOf(store).takeLease('one', 'a', hourMs)).toEqual(one);
  });
}
