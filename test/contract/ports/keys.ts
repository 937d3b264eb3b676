// Contract: API keys are added, counted and revoked. Found by mail-store.ts.

import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import type { NewKey } from '../../../src/store/key-store.ts';
import { openForTest, type OpenStore } from '../store-fixture.ts';

function newKey(name: string, given: Partial<NewKey> = {}): NewKey {
  const hash = createHash('sha256').update(`${name} ${Math.random()}`).digest();
  return { name, kind: 'caller', scopes: ['create'], hash, ratePerMinute: null, ...given };
}

export function contract(open: OpenStore): void {
  it('keeps the properties of a key, and only its hash', async () => {
    const store = await openForTest(open);
    const first = await store.keys.addKey(
      newKey('shop', { scopes: ['create', 'gmail'], ratePerMinute: 600 }),
    );
    const second = await store.keys.addKey(newKey('ops', { kind: 'admin', scopes: ['read', 'write'] }));
    expect(first).toMatchObject({
      name: 'shop',
      kind: 'caller',
      scopes: ['create', 'gmail'],
      ratePerMinute: 600,
      createdAt: store.clock.now(),
      revokedAt: null,
      uses: 0,
      lastUsedAt: null,
    });
    await store.reopen();
    const listed = await store.keys.listKeys();
    expect(listed.map(({ hash, ...rest }) => ({ ...rest, hash: Buffer.from(hash).toString('hex') }))).toEqual(
      [first, second].map((key) => {
        if (key === 'taken') throw new Error('It was taken.');
        return { ...key, hash: Buffer.from(key.hash).toString('hex') };
      }),
    );
  });

  it('has one valid key per name, and accepts the name again after its end', async () => {
    const store = await openForTest(open);
    const first = await store.keys.addKey(newKey('shop'));
    expect(await store.keys.addKey(newKey('shop', { kind: 'admin', scopes: ['read'] }))).toBe('taken');
    store.clock.advance(1000);
    expect(await store.keys.revokeKey('shop')).toMatchObject({ name: 'shop', revokedAt: store.clock.now() });
    expect(await store.keys.revokeKey('shop')).toBeUndefined();
    expect(await store.keys.revokeKey('other')).toBeUndefined();
    const again = await store.keys.addKey(newKey('shop'));
    if (first === 'taken' || again === 'taken') throw new Error('It was taken.');
    expect(again.id).toBeGreaterThan(first.id);
    expect((await store.keys.listKeys()).map(({ revokedAt }) => revokedAt !== null)).toEqual([true, false]);
  });

  it('gives a name to one of many concurrent callers', async () => {
    const store = await openForTest(open);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => store.keys.addKey(newKey('shop'))));
    expect(outcomes.filter((outcome) => outcome !== 'taken')).toHaveLength(1);
  });

  it('adds up uses, and the last use never moves back', async () => {
    const store = await openForTest(open);
    const key = await store.keys.addKey(newKey('shop'));
    if (key === 'taken') throw new Error('It was taken.');
    await store.keys.addUses([{ id: key.id, uses: 3, lastUsedAt: 2000 }]);
    await store.keys.addUses([
      { id: key.id, uses: 4, lastUsedAt: 1000 },
      { id: key.id + 1, uses: 9, lastUsedAt: 9000 },
    ]);
    await store.keys.addUses([]);
    expect(await store.keys.listKeys()).toMatchObject([{ uses: 7, lastUsedAt: 2000 }]);
  });
}
