// Contract: a small text of a session, such as its shares, is replaced as a whole and ends with the session. Found by
// mail-store.ts.

import { expect, it } from 'vitest';

import { toSessionKey } from '#sealing/token';

import { createLive, hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

/** Ports with this interface. */
const names = ['shares', 'pushes', 'sentKeys'] as const;
const unused = toSessionKey(Buffer.alloc(32, 7));

export function contract(open: OpenStore): void {
  it.each(names)('%s: keeps the replacement of a text across a restart', async (name) => {
    const store = await openForTest(open);
    const session = await createLive(store);
    expect(await store[name].read(session.key)).toBeNull();
    expect(await store[name].replace(session.key, { before: null, after: '["ä"]' })).toBe(true);
    expect(await store[name].read(session.key)).toBe('["ä"]');
    await store.reopen();
    expect(await store[name].read(session.key)).toBe('["ä"]');
    expect(await store[name].replace(session.key, { before: '["ä"]', after: null })).toBe(true);
    expect(await store[name].read(session.key)).toBeNull();
  });

  it.each(names)('%s: lets one of several concurrent changes win', async (name) => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const changes = ['1', '2', '3', '4'].map((after) =>
      store[name].replace(session.key, { before: null, after }),
    );
    const done = await Promise.all(changes);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await store[name].read(session.key)).toBe(String(done.indexOf(true) + 1));
    expect(await store[name].replace(session.key, { before: 'x', after: 'y' })).toBe(false);
  });

  it.each(names)('%s: has none for a session that is unknown, over or due', async (name) => {
    const store = await openForTest(open);
    expect(await store[name].read(unused)).toBeNull();
    expect(await store[name].replace(unused, { before: null, after: 'x' })).toBe(false);
    const [ended, due, other] = [await createLive(store), await createLive(store), await createLive(store)];
    for (const { key } of [ended, due]) await store[name].replace(key, { before: null, after: 'x' });
    await store.mail.endSession(ended.key);
    store.clock.advance(2 * hourMs);
    for (const { key } of [ended, due, other]) {
      expect(await store[name].read(key)).toBeNull();
      expect(await store[name].replace(key, { before: 'x', after: 'y' })).toBe(false);
    }
  });

  it('separates the texts of different ports', async () => {
    const store = await openForTest(open);
    const { key } = await createLive(store);
    for (const name of names) {
      expect(await store[name].replace(key, { before: null, after: name })).toBe(true);
    }
    expect(await Promise.all(names.map((name) => store[name].read(key)))).toEqual(names);
  });
}
