// Contract: the length of the queue of webhooks is counted up to a bound. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { createLive, deliveryOf, hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

const outbox = { operator: true, sessions: false, rowsPerEndpoint: 100 };

export function contract(open: OpenStore): void {
  it('counts what waits and what is dead, and tells the oldest', async () => {
    const store = await openForTest(open, { outbox });
    expect(await store.queue.measureQueue(10)).toEqual({ waiting: 0, dead: 0, oldestAt: null });
    const session = await createLive(store, { lifetimeMs: 10 * hourMs });
    const firstAt = store.clock.now();
    for (const text of ['one', 'two', 'three']) {
      await store.mail.deliver([deliveryOf(session, text)]);
      store.clock.advance(hourMs);
    }
    // A distributed store brings events to the queue when it is next used.
    await store.jobs.findEndpoint(session.key);
    const queue = await store.queue.measureQueue(10);
    expect({ ...queue, oldestAt: Number(queue.oldestAt) >= firstAt }).toEqual({
      waiting: 3,
      dead: 0,
      oldestAt: true,
    });
    expect(await store.queue.measureQueue(2)).toMatchObject({ waiting: 2, oldestAt: queue.oldestAt });
  });

  it('measures the store on disk', async () => {
    const store = await openForTest(open);
    const { engine, version, bytes } = await store.measure();
    expect(['SQLite', 'PostgreSQL', 'Citus']).toContain(engine);
    expect(version).toMatch(/^\d+\.\d+/);
    expect(bytes).toBeGreaterThan(10_000);
  });
}
