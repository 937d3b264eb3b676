// Contract: the records of the service are replaced whole, and under a lease only by its holder. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

const [one, other] = [Buffer.from([1, 0, 255]), Buffer.alloc(20_000, 9)];

export function contract(open: OpenStore): void {
  it('keeps the last value of each record, across a restart', async () => {
    const store = await openForTest(open);
    expect(await store.records.readRecord('certificate')).toBeUndefined();
    await store.records.writeRecord('certificate', one);
    await store.records.writeRecord('account', one);
    await store.records.writeRecord('certificate', other);
    await store.reopen();
    expect(await store.records.readRecord('certificate')).toEqual(other);
    expect(await store.records.readRecord('account')).toEqual(one);
    expect(await store.records.readRecord('Account')).toBeUndefined();
  });

  it('adds and replaces a record under a lease', async () => {
    const store = await openForTest(open);
    const lease = (await store.shared?.leases.takeLease('certificate', 'a', hourMs)) ?? {
      name: 'certificate',
      holder: 'a',
      epoch: 1,
    };
    expect(await store.records.writeRecordUnder(lease, 'certificate', one)).toBe(true);
    expect(await store.records.readRecord('certificate')).toEqual(one);
    expect(await store.records.writeRecordUnder(lease, 'certificate', other)).toBe(true);
    expect(await store.records.readRecord('certificate')).toEqual(other);
  });

  it('takes nothing from a node that has lost the lease', async () => {
    const store = await openForTest(open);
    if (!store.shared) return;
    const { leases } = store.shared;
    const lost = await leases.takeLease('certificate', 'a', hourMs);
    if (!lost) throw new Error('Not taken.');
    store.clock.advance(2 * hourMs);
    const held = await leases.takeLease('certificate', 'b', hourMs);
    if (!held) throw new Error('Not taken.');
    expect(await store.records.writeRecordUnder(held, 'certificate', one)).toBe(true);
    expect(await store.records.writeRecordUnder(lost, 'certificate', other)).toBe(false);
    expect(await store.records.writeRecordUnder(lost, 'account', other)).toBe(false);
    expect(await store.records.readRecord('certificate')).toEqual(one);
    expect(await store.records.readRecord('account')).toBeUndefined();
  });
}
