// Contract: a session's password opens the same data as given, and ends with the session. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { toSessionKey } from '#sealing/token';

import { createLive, hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

const unused = toSessionKey(Buffer.alloc(32, 7));
const [one, other] = [Buffer.from([1, 0, 255]), Buffer.alloc(300, 9)];

export function contract(open: OpenStore): void {
  it('keeps the last value, across a restart, and for its session alone', async () => {
    const store = await openForTest(open);
    const [session, neighbour] = [await createLive(store), await createLive(store)];
    expect(await store.passwords.readPassword(session.key)).toBeUndefined();
    expect(await store.passwords.replacePassword(session.key, one)).toBe(true);
    expect(await store.passwords.readPassword(session.key)).toEqual(one);
    expect(await store.passwords.replacePassword(session.key, other)).toBe(true);
    await store.reopen();
    expect(await store.passwords.readPassword(session.key)).toEqual(other);
    expect(await store.passwords.readPassword(neighbour.key)).toBeUndefined();
  });

  it('has none for a session that is unknown, over or due', async () => {
    const store = await openForTest(open);
    expect(await store.passwords.readPassword(unused)).toBeUndefined();
    expect(await store.passwords.replacePassword(unused, one)).toBe(false);
    const [ended, due, bare] = [await createLive(store), await createLive(store), await createLive(store)];
    for (const { key } of [ended, due]) await store.passwords.replacePassword(key, one);
    await store.mail.endSession(ended.key);
    expect(await store.passwords.readPassword(ended.key)).toBeUndefined();
    store.clock.advance(2 * hourMs);
    for (const { key } of [ended, due, bare]) {
      expect(await store.passwords.readPassword(key)).toBeUndefined();
      expect(await store.passwords.replacePassword(key, other)).toBe(false);
    }
  });
}
