import { expect, it } from 'vitest';

import type { NewKey, StoredKey } from '../../store/key-store.ts';
import { createSignInLinks } from './sign-in-links.ts';

function open() {
  const added: StoredKey[] = [];
  const state = { now: Date.UTC(2026, 0, 1) };
  const keys = {
    listKeys: () => Promise.resolve(added),
    addKey: (key: NewKey) => {
      const stored = {
        ...key,
        id: added.length + 1,
        createdAt: 0,
        revokedAt: null,
        uses: 0,
        lastUsedAt: null,
      };
      added.push(stored);
      return Promise.resolve(stored);
    },
    revokeKey: () => Promise.resolve(undefined),
    addUses: () => Promise.resolve(),
  };
  const links = createSignInLinks({ keys, onKeysChanged: () => Promise.resolve() }, () => state.now);
  return { links, added, state };
}

it('gives an admin key of all scopes for a code, once', async () => {
  const { links, added } = open();
  const { code } = links.make();
  const made = await links.redeem(code);
  expect(made?.key).toMatch(/^mfa_/);
  expect(added).toMatchObject([{ kind: 'admin', scopes: ['read', 'write'] }]);
  expect(await links.redeem(code)).toBeUndefined();
  expect(added).toHaveLength(1);
});

it('gives none for a code twice at once, a late one, or a made-up one', async () => {
  const { links, added, state } = open();
  const { code } = links.make();
  const both = await Promise.all([links.redeem(code), links.redeem(code)]);
  expect(both.filter((one) => one !== undefined)).toHaveLength(1);
  const late = links.make();
  state.now = late.endsAt;
  expect(await links.redeem(late.code)).toBeUndefined();
  expect(await links.redeem('')).toBeUndefined();
  expect(added).toHaveLength(1);
});

it('keeps ten open at once, each for an hour', () => {
  const { links, state } = open();
  for (let at = 0; at < 10; at++) links.make();
  expect(() => links.make()).toThrow(/Too many links/);
  state.now += 60 * 60_000;
  expect(links.make().endsAt - state.now).toBe(60 * 60_000);
});
