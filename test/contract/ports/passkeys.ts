// Contract: passkeys belong to an admin key, count their signatures, and each challenge is spent once. Found by
// mail-store.ts.

import { createHash, randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import type { NewPasskey } from '#passkeys/passkey';
import type { StoredKey } from '../../../src/store/key-store.ts';
import { hourMs, type OpenedStore, openForTest, type OpenStore } from '../store-fixture.ts';

async function addKey(
  store: OpenedStore,
  name: string,
  kind: 'admin' | 'caller' = 'admin',
): Promise<StoredKey> {
  const key = await store.keys.addKey({ name, kind, scopes: [], hash: randomBytes(32), ratePerMinute: null });
  if (key === 'taken') throw new Error('It was taken.');
  return key;
}

function newPasskey(keyId: number, name: string): NewPasskey {
  return {
    keyId,
    name,
    credentialId: createHash('sha256').update(`${keyId} ${name}`).digest(),
    publicKey: Buffer.from([0, 1, 255]),
    counter: 0,
    transports: ['internal', 'usb'],
  };
}

export function contract(open: OpenStore): void {
  it('keeps the properties of a passkey, across a restart', async () => {
    const store = await openForTest(open);
    const key = await addKey(store, 'ops');
    const laptop = newPasskey(key.id, 'Laptop ☕');
    expect(await store.passkeys.addPasskey(laptop)).toBe(true);
    expect(await store.passkeys.addPasskey({ ...newPasskey(key.id, 'Phone'), transports: [] })).toBe(true);
    await store.reopen();
    const [first, second] = await store.passkeys.listPasskeys();
    expect(first).toEqual({
      ...laptop,
      credentialId: expect.anything() as unknown,
      publicKey: expect.anything() as unknown,
      id: expect.any(Number) as number,
      administrator: 'ops',
      createdAt: store.clock.now(),
      lastUsedAt: null,
    });
    expect(Buffer.compare(first!.credentialId, laptop.credentialId)).toBe(0);
    expect(Buffer.compare(first!.publicKey, laptop.publicKey)).toBe(0);
    expect(second).toMatchObject({ name: 'Phone', transports: [] });
  });

  it('takes neither a name of the same administrator nor a credential twice', async () => {
    const store = await openForTest(open);
    const [one, other] = [await addKey(store, 'one'), await addKey(store, 'other')];
    const passkey = newPasskey(one.id, 'Laptop');
    expect(await store.passkeys.addPasskey(passkey)).toBe(true);
    expect(await store.passkeys.addPasskey({ ...passkey, credentialId: randomBytes(16) })).toBe(false);
    expect(await store.passkeys.addPasskey({ ...passkey, keyId: other.id })).toBe(false);
    expect(await store.passkeys.addPasskey(newPasskey(other.id, 'Laptop'))).toBe(true);
  });

  it('takes none for a key that is revoked, for callers, or not there, and ends those of one that is revoked', async () => {
    const store = await openForTest(open);
    const [ops, shop] = [await addKey(store, 'ops'), await addKey(store, 'shop', 'caller')];
    expect(await store.passkeys.addPasskey(newPasskey(shop.id, 'Laptop'))).toBe(false);
    expect(await store.passkeys.addPasskey(newPasskey(999, 'Laptop'))).toBe(false);
    expect(await store.passkeys.addPasskey(newPasskey(ops.id, 'Laptop'))).toBe(true);
    const [passkey] = await store.passkeys.listPasskeys();
    await store.keys.revokeKey('ops');
    expect(await store.passkeys.listPasskeys()).toEqual([]);
    expect(await store.passkeys.usePasskey(passkey!.id, 1)).toBe(false);
    expect(await store.passkeys.addPasskey(newPasskey(ops.id, 'Phone'))).toBe(false);
    // One of the same name is another.
    await addKey(store, 'ops');
    expect(await store.passkeys.listPasskeys()).toEqual([]);
  });

  it('takes a counter that grows, or stays 0, and no other', async () => {
    const store = await openForTest(open);
    const key = await addKey(store, 'ops');
    await store.passkeys.addPasskey(newPasskey(key.id, 'Laptop'));
    const [{ id } = { id: 0 }] = await store.passkeys.listPasskeys();
    const use = (counter: number): Promise<boolean> => store.passkeys.usePasskey(id, counter);
    expect([await use(0), await use(0), await use(4_294_967_295)]).toEqual([true, true, true]);
    expect([await use(4_294_967_295), await use(7), await use(0)]).toEqual([false, false, false]);
    expect(await store.passkeys.listPasskeys()).toMatchObject([
      { counter: 4_294_967_295, lastUsedAt: store.clock.now() },
    ]);
  });

  it('removes one, or all of an administrator', async () => {
    const store = await openForTest(open);
    const [one, other] = [await addKey(store, 'one'), await addKey(store, 'other')];
    for (const passkey of [newPasskey(one.id, 'a'), newPasskey(one.id, 'b'), newPasskey(other.id, 'c')]) {
      await store.passkeys.addPasskey(passkey);
    }
    const [{ id } = { id: 0 }] = await store.passkeys.listPasskeys();
    expect([await store.passkeys.removePasskey(id), await store.passkeys.removePasskey(id)]).toEqual([
      true,
      false,
    ]);
    expect(await store.passkeys.usePasskey(id, 1)).toBe(false);
    await store.passkeys.removePasskeysOf(one.id);
    expect(await store.passkeys.listPasskeys()).toMatchObject([{ name: 'c' }]);
  });

  it('spends a challenge once, however many try at a time, and forgets it when its time is over', async () => {
    const store = await openForTest(open);
    const [one, other] = [randomBytes(32), randomBytes(32)];
    const tries = await Promise.all([1, 2, 3, 4].map(() => store.passkeys.spendChallenge(one, hourMs)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await store.passkeys.spendChallenge(other, hourMs)).toBe(true);
    await store.reopen();
    expect(await store.passkeys.spendChallenge(one, hourMs)).toBe(false);
    store.clock.advance(hourMs);
    expect(await store.passkeys.spendChallenge(one, hourMs)).toBe(true);
  });
}
