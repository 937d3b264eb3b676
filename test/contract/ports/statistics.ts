// Contract: counts are added up by hour and by day, by every node. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

const dayMs = 24 * hourMs;

export function contract(open: OpenStore): void {
  it('adds counts to their hour and their day, across a restart', async () => {
    const store = await openForTest(open);
    const start = store.clock.now();
    const [hour, day] = [start - (start % hourMs), start - (start % dayMs)];
    await store.statistics.addCounts([
      { name: 'received', count: 2 },
      { name: 'from example.org', count: 1 },
    ]);
    await store.statistics.addCounts([{ name: 'received', count: 3 }]);
    await store.reopen();
    expect(await store.statistics.listCounts('hour', 0)).toEqual([
      { at: hour, name: 'from example.org', count: 1 },
      { at: hour, name: 'received', count: 5 },
    ]);
    store.clock.advance(hourMs);
    await store.statistics.addCounts([{ name: 'received', count: 10 }]);
    expect(await store.statistics.listCounts('hour', hour + 1)).toEqual([
      { at: hour + hourMs, name: 'received', count: 10 },
    ]);
    const days = await store.statistics.listCounts('day', day);
    expect(days.reduce((sum, { name, count }) => (name === 'received' ? sum + count : sum), 0)).toBe(15);
  });

  it('forgets hours and days that began before an instant', async () => {
    const store = await openForTest(open);
    await store.statistics.addCounts([{ name: 'received', count: 1 }]);
    const later = store.clock.now() + 2 * dayMs;
    await store.statistics.sweepCounts({ hour: later, day: 0 });
    expect(await store.statistics.listCounts('hour', 0)).toEqual([]);
    expect(await store.statistics.listCounts('day', 0)).toHaveLength(1);
  });
}
