// Contract: routes of mail by HTTP are kept, and a proof is good for one thing. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

const route = { name: 'relay', provider: 'raw', trusts: null, sealed: Buffer.from([1, 0, 255]) };
const [id, one, other] = [1, 2, 3].map((byte) => Buffer.alloc(16, byte)) as [Buffer, Buffer, Buffer];

export function contract(open: OpenStore): void {
  it('keeps routes by name, across a restart', async () => {
    const store = await openForTest(open);
    const createdAt = store.clock.now();
    expect(await store.inbound.addRoute(route)).toBe(true);
    expect(await store.inbound.addRoute({ ...route, provider: 'ses' })).toBe(false);
    expect(await store.inbound.addRoute({ ...route, name: 'a', trusts: 'mx.example.org' })).toBe(true);
    await store.reopen();
    expect(await store.inbound.findRoute('relay')).toEqual({ ...route, createdAt });
    expect(await store.inbound.findRoute('Relay')).toBeUndefined();
    expect(await store.inbound.listRoutes()).toMatchObject([
      { name: 'a', trusts: 'mx.example.org' },
      { name: 'relay', trusts: null },
    ]);
    expect(await store.inbound.removeRoute('relay')).toBe(true);
    expect(await store.inbound.removeRoute('relay')).toBe(false);
  });

  it('takes a proof again only for the same, and knows what is done', async () => {
    const store = await openForTest(open);
    const proof = { route: 'relay', id, binds: one, keptMs: hourMs };
    expect(await store.inbound.claim(proof)).toBe('new');
    expect(await store.inbound.claim(proof)).toBe('again');
    expect(await store.inbound.claim({ ...proof, binds: other })).toBe('other');
    expect(await store.inbound.claim({ ...proof, route: 'else' })).toBe('new');
    await store.inbound.finish('relay', id);
    await store.reopen();
    expect(await store.inbound.claim(proof)).toBe('done');
    expect(await store.inbound.claim({ ...proof, binds: other })).toBe('other');
    expect(await store.inbound.claim({ ...proof, route: 'else' })).toBe('again');
  });

  it('gives one of many claims at once the proof', async () => {
    const store = await openForTest(open);
    const claims = Array.from({ length: 10 }, (_, at) =>
      store.inbound.claim({ route: 'relay', id, binds: at % 2 === 0 ? one : other, keptMs: hourMs }),
    );
    const outcomes = await Promise.all(claims);
    expect(outcomes.filter((outcome) => outcome === 'new')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'other')).toHaveLength(5);
  });

  it('forgets proofs once they are of no more use', async () => {
    const store = await openForTest(open);
    await store.inbound.claim({ route: 'relay', id, binds: one, keptMs: hourMs });
    store.clock.advance(hourMs - 1);
    await store.inbound.sweepProofs();
    expect(await store.inbound.claim({ route: 'relay', id, binds: one, keptMs: hourMs })).toBe('again');
    store.clock.advance(1);
    await store.inbound.sweepProofs();
    expect(await store.inbound.claim({ route: 'relay', id, binds: one, keptMs: hourMs })).toBe('new');
  });
}
