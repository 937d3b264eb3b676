// Contract: live sessions are counted and found by address. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { createLive, dayMs, deliverOne, hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

export function contract(open: OpenStore): void {
  it('counts only live sessions', async () => {
    const store = await openForTest(open);
    for (let count = 0; count < 3; count++) await createLive(store);
    const ended = await createLive(store);
    await store.mail.endSession(ended.key);
    expect(await store.finder.countLive()).toBe(3);
  });

  it('does not count those that are due', async () => {
    const store = await openForTest(open);
    await createLive(store, { lifetimeMs: hourMs });
    await createLive(store, { lifetimeMs: 2 * hourMs });
    store.clock.advance(hourMs);
    expect(await store.finder.countLive()).toBe(1);
  });

  it('lists the addresses of live sessions in order, slice by slice', async () => {
    const store = await openForTest(open);
    for (const name of ['c', 'a', 'e', 'd', 'b']) {
      await createLive(store, { address: `${name}@mayfly.test`, quarantineMs: dayMs });
    }
    const ended = await store.mail.findLiveSession('d@mayfly.test');
    await store.mail.endSession(ended!.key);
    const slice = (after: string): Promise<string[]> => store.finder.listLiveAfter(after, 2);
    expect(await slice('')).toEqual(['a@mayfly.test', 'b@mayfly.test']);
    expect(await slice('b@mayfly.test')).toEqual(['c@mayfly.test', 'e@mayfly.test']);
    expect(await slice('e@mayfly.test')).toEqual([]);
  });

  it('knows an address while it is lent, in quarantine, and for a day after', async () => {
    const store = await openForTest(open);
    const reclaim = async (): Promise<void> => {
      while (await store.mail.reclaim(50));
    };
    const session = await createLive(store, { address: 'fox@mayfly.test', quarantineMs: hourMs });
    const isKnown = (): Promise<boolean> => store.finder.isKnownAddress('fox@mayfly.test');
    expect(await isKnown()).toBe(true);
    expect(await store.finder.isKnownAddress('goose@mayfly.test')).toBe(false);
    await store.mail.endSession(session.key);
    await reclaim();
    expect(await isKnown()).toBe(true);
    store.clock.advance(dayMs);
    await reclaim();
    expect(await isKnown()).toBe(true);
    store.clock.advance(hourMs);
    await reclaim();
    expect(await isKnown()).toBe(false);
  });

  it('lends an address without quarantine again at once, and still knows it', async () => {
    const store = await openForTest(open);
    const first = await createLive(store, { address: 'fox@mayfly.test', quarantineMs: 0 });
    await store.mail.endSession(first.key);
    expect(await store.finder.isKnownAddress('fox@mayfly.test')).toBe(true);
    const second = await createLive(store, { address: 'fox@mayfly.test', quarantineMs: 0 });
    expect((await store.mail.findLiveSession('fox@mayfly.test'))?.key).toEqual(second.key);
  });

  it('finds live sessions by the start of their address, in order, up to a limit', async () => {
    const store = await openForTest(open);
    const at = async (address: string) => createLive(store, { address, quarantineMs: dayMs });
    const fox = await at('fox@mayfly.test');
    await at('foxglove@mayfly.test');
    await at('fo@mayfly.test');
    await at('goose@mayfly.test');
    const ended = await at('fox-ended@mayfly.test');
    await store.mail.endSession(ended.key);
    await createLive(store, { address: 'fox-due@mayfly.test', lifetimeMs: 1 });
    store.clock.advance(1);
    await deliverOne(store, fox, 'four');
    const find = async (start: string, limit = 100): Promise<string[]> =>
      (await store.finder.findLive(start, limit)).map(({ address }) => address);
    expect(await find('fox')).toEqual(['fox@mayfly.test', 'foxglove@mayfly.test']);
    expect(await find('fo', 2)).toEqual(['fo@mayfly.test', 'fox@mayfly.test']);
    expect(await find('')).toHaveLength(4);
    expect(await find('fox@mayfly.test')).toEqual(['fox@mayfly.test']);
    expect(await find('%')).toEqual([]);
    expect(await find('fo_')).toEqual([]);
    expect(await store.finder.findLive('fox@', 1)).toEqual([
      {
        key: fox.key,
        address: fox.address,
        createdAt: fox.createdAt,
        expiresAt: fox.expiresAt,
        messageCount: 1,
        messageBytes: 4,
      },
    ]);
  });
}
