import { describe, expect, it, onTestFinished } from 'vitest';

import { openSqliteForTest } from '../../../test/contract/open-sqlite-for-test.ts';
import { openForTest } from '../../../test/contract/store-fixture.ts';
import { createOperatorDeps } from '../../../test/support/service/operator-fixture.ts';
import { createKeyring } from './keyring.ts';
import { OperatorError } from './operator-error.ts';
import { addKey, revokeKey } from './manage-keys.ts';

async function open() {
  const store = await openForTest(openSqliteForTest);
  const errors: unknown[] = [];
  const keyring = await createKeyring({
    keys: store.keys,
    passkeys: store.passkeys,
    onError: (error) => errors.push(error),
    clock: () => store.clock.now(),
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await keyring.close();
    isClosed = true;
  };
  onTestFinished(async () => {
    await close();
    expect(errors).toEqual([]);
  });
  return {
    store,
    keyring,
    errors,
    close,
    deps: createOperatorDeps(store, { onKeysChanged: () => keyring.reload() }),
  };
}

describe('a key', () => {
  it('is good from when it is made until it is revoked, for its own kind', async () => {
    const { keyring, deps } = await open();
    const caller = await addKey(deps, { name: 'shop', kind: 'caller', scopes: [], ratePerMinute: 600 });
    const admin = await addKey(deps, { name: 'ops', kind: 'admin', scopes: ['read'] });
    expect(caller.key).toMatch(/^mfk_[A-Za-z0-9_-]{43}$/);
    expect(admin.key).toMatch(/^mfa_[A-Za-z0-9_-]{43}$/);
    expect(keyring.use(caller.key, 'caller')).toMatchObject({
      name: 'shop',
      scopes: new Set(['create', 'gmail', 'webhook', 'capture']),
      ratePerMinute: 600,
    });
    expect(keyring.use(admin.key, 'admin')?.scopes).toEqual(new Set(['read']));
    expect(keyring.use(caller.key, 'admin')).toBeUndefined();
    expect(keyring.use(admin.key, 'caller')).toBeUndefined();
    expect(keyring.use(admin.key.replace('mfa_', 'mfk_'), 'caller')).toBeUndefined();
    await revokeKey(deps, 'shop');
    expect(keyring.use(caller.key, 'caller')).toBeUndefined();
    expect(keyring.use(admin.key, 'admin')).toBeDefined();
  });

  it('is stored as its hash alone', async () => {
    const { store, deps } = await open();
    const { key } = await addKey(deps, { name: 'shop', kind: 'caller', scopes: [] });
    const files = Buffer.concat(await store.dataFiles());
    expect(files.includes('shop')).toBe(true);
    for (const part of [key, key.slice(4), Buffer.from(key.slice(4), 'base64url')]) {
      expect(files.includes(part)).toBe(false);
    }
  });

  it.each([
    '',
    'x',
    'mfk_',
    `mfk_${'A'.repeat(43)}`,
    `mfk_${'A'.repeat(44)}`,
    'mf_'.padEnd(46, 'A'),
    '__proto__',
  ])('is not %j', async (text) => {
    const { keyring } = await open();
    expect(keyring.use(text, 'caller')).toBeUndefined();
  });

  it('has its uses counted, written when the service stops', async () => {
    const { store, keyring, deps, close } = await open();
    const { key } = await addKey(deps, { name: 'shop', kind: 'caller', scopes: [] });
    for (let count = 0; count < 5; count++) keyring.use(key, 'caller');
    keyring.use(`${key}x`, 'caller');
    expect(await store.keys.listKeys()).toMatchObject([{ uses: 0, lastUsedAt: null }]);
    await close();
    expect(await store.keys.listKeys()).toMatchObject([{ uses: 5, lastUsedAt: store.clock.now() }]);
  });

  it('keeps uses that could not be written for the next write', async () => {
    const { store, keyring, deps, errors, close } = await open();
    const { key } = await addKey(deps, { name: 'shop', kind: 'caller', scopes: [] });
    keyring.use(key, 'caller');
    const { addUses } = store.keys;
    store.keys.addUses = () => Promise.reject(new Error('away'));
    await keyring.close();
    expect(errors.splice(0)).toEqual([new Error('away')]);
    store.keys.addUses = addUses.bind(store.keys);
    keyring.use(key, 'caller');
    await close();
    expect(await store.keys.listKeys()).toMatchObject([{ uses: 2 }]);
  });
});

describe('an invalid request for a key', () => {
  it.each([
    [{ name: '' }, 'name is'],
    [{ name: 'a b' }, 'name is'],
    [{ name: '-x' }, 'name is'],
    [{ name: 'x'.repeat(41) }, 'name is'],
    [{ scopes: ['read'] }, '"read" is no scope of a key: create, gmail, webhook, capture.'],
    [{ kind: 'admin', scopes: ['create'] }, '"create" is no scope of an admin key: read, write.'],
    [{ kind: 'admin', ratePerMinute: 5 }, 'no rate'],
    [{ name: 'taken' }, 'There is a key taken already'],
  ] as const)('%j is said: %s', async (given, message) => {
    const { deps } = await open();
    await addKey(deps, { name: 'taken', kind: 'caller', scopes: [] });
    const added = addKey(deps, { name: 'shop', kind: 'caller', scopes: [], ...given });
    await expect(added).rejects.toBeInstanceOf(OperatorError);
    await expect(added).rejects.toThrow(message);
  });

  it('a key that is not in force cannot be revoked', async () => {
    const { deps } = await open();
    await expect(revokeKey(deps, 'none')).rejects.toThrow(
      new OperatorError('There is no key none in force.'),
    );
  });
});
