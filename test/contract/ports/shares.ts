// Contract: the text of a session's shares is replaced as a whole and ends with the session. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { toSessionKey } from '../../../src/secrets/token.ts';

import { createLive, hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

const unused = toSessionKey(Buffer.alloc(32, 7));

export function contract(open: OpenStore): void {
  it('keeps what took the place of what was there, across a restart', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    expect(await store.shares.readShares(session.key)).toBeNull();
    expect(await store.shares.replaceShares(session.key, { before: null, after: '["ä"]' })).toBe(true);
    expect(await store.shares.readShares(session.key)).toBe('["ä"]');
    await store.reopen();
    expect(await store.shares.readShares(session.key)).toBe('["ä"]');
    expect(await store.shares.replaceShares(session.key, { before: '["ä"]', after: null })).toBe(true);
    expect(await store.shares.readShares(session.key)).toBeNull();
  });

  it('lets one of several changes of the same text win', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const changes = ['1', '2', '3', '4'].map((after) =>
      store.shares.replaceShares(session.key, { before: null, after }),
    );
    const done = await Promise.all(changes);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await store.shares.readShares(session.key)).toBe(String(done.indexOf(true) + 1));
    expect(await store.shares.replaceShares(session.key, { before: 'x', after: 'y' })).toBe(false);
  });

  it('has none of a session that is unknown, over or due', async () => {
    const store = await openForTest(open);
    expect(await store.shares.readShares(unused)).toBeNull();
    expect(await store.shares.replaceShares(unused, { before: null, after: 'x' })).toBe(false);
    const [ended, due, other] = [await createLive(store), await createLive(store), await createLive(store)];
    for (const { key } of [ended, due]) await store.shares.replaceShares(key, { before: null, after: 'x' });
    await store.mail.endSession(ended.key);
    store.clock.advance(2 * hourMs);
    for (const { key } of [ended, due, other]) {
      expect(await store.shares.readShares(key)).toBeNull();
      expect(await store.shares.replaceShares(key, { before: 'x', after: 'y' })).toBe(false);
    }
  });
}
