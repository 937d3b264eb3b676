// Contract: the store keeps one fingerprint of server.key until it is to be forgotten. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { openForTest, type OpenStore } from '../store-fixture.ts';

const [one, other] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];

export function contract(open: OpenStore): void {
  it('keeps the first fingerprint that is claimed, across a restart, until it is forgotten', async () => {
    const store = await openForTest(open);
    expect(await store.serverKeys.readFingerprint()).toBeUndefined();
    expect(await store.serverKeys.forget()).toBe(false);
    const claimed = await Promise.all([one, other, one].map((each) => store.serverKeys.claim(each)));
    expect(new Set(claimed.map((each) => Buffer.from(each).toString('hex'))).size).toBe(1);
    await store.reopen();
    expect(await store.serverKeys.readFingerprint()).toEqual(claimed[0]);
    expect(await store.serverKeys.forget()).toBe(true);
    expect(await store.serverKeys.readFingerprint()).toBeUndefined();
    expect(await store.serverKeys.claim(other)).toEqual(other);
  });
}
