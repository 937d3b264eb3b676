import { expect, it } from 'vitest';

import { createLive } from '../../../test/contract/store-fixture.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { renameSession } from './rename-session.ts';

const failure = (code: string, parameter?: string): unknown =>
  expect.objectContaining({ code, ...(parameter === undefined ? {} : { parameter }) });

it('takes the prefix in lower case, at the domain that the session has', async () => {
  const { deps, store, lend } = await openServices();
  await store.directory.addDomain('other.test', 0, 0);
  for (let round = 0; round < 5; round++) {
    const session = await lend();
    const domain = session.address.slice(session.address.indexOf('@'));
    const renamed = await renameSession(deps, session, { prefix: `Brisk.Owl${round}` });
    expect(renamed.address).toBe(`brisk.owl${round}${domain}`);
    expect(await store.mail.findLiveSession(renamed.address)).toEqual(renamed);
  }
});

it('makes a random name where none is asked for', async () => {
  const { deps, lend } = await openServices();
  const session = await lend('quiet-fox');
  const { address } = await renameSession(deps, session, {});
  expect(address).toMatch(/^[a-z]+\.[a-z]+\d\d@mayfly\.test$/);
  const plain = await renameSession(deps, session, { style: 'random' });
  expect(plain.address).toMatch(/^[a-z2-9]{11}@mayfly\.test$/);
  expect(address).not.toBe(session.address);
});

it('moves to the domain that is asked for, and from one that is not active any more', async () => {
  const { deps, store, lend } = await openServices();
  const { id } = await store.directory.addDomain('other.test', 0, 0);
  const [one, two] = [await createLive(store, { address: 'one@mayfly.test' }), await lend()];
  expect((await renameSession(deps, one, { prefix: 'owl', domainId: id })).address).toBe('owl@other.test');
  await store.directory.disableDomain('mayfly.test');
  const moved = await renameSession(deps, two, { prefix: 'fox' });
  expect(moved.address).toBe('fox@other.test');
});

it.each([
  ['is held', 'held', 'address_taken'],
  ['is none', 'no name', 'invalid_prefix'],
  ['is reserved', 'postmaster', 'reserved_prefix'],
])('refuses a prefix that %s, and changes nothing', async (_, prefix, code) => {
  const { deps, lend, refresh } = await openServices();
  await lend('held');
  const session = await lend('quiet-fox');
  await expect(renameSession(deps, session, { prefix })).rejects.toThrow(failure(code, 'prefix'));
  expect(await refresh(session)).toEqual(session);
});

it('refuses an unknown domain and a session that has ended', async () => {
  const { deps, store, lend } = await openServices();
  const session = await lend();
  await expect(renameSession(deps, session, { domainId: 999 })).rejects.toThrow(
    failure('unknown_domain', 'domain_id'),
  );
  await store.mail.endSession(session.key);
  await expect(renameSession(deps, session, {})).rejects.toThrow(failure('session_expired'));
});

it('refuses what has to keep its address: Gmail aliases and capture sessions', async () => {
  const { deps, store } = await openServices();
  const alias = await createLive(store, { address: 'quiet.f.ox@gmail.com', accountId: 1 });
  const capture = await createLive(store, { address: '*@k3mq8rtz.mayfly.test' });
  for (const session of [alias, capture]) {
    await expect(renameSession(deps, session, { prefix: 'fox' })).rejects.toThrow(
      failure('address_is_fixed'),
    );
  }
  expect(await store.mail.findLiveSession('fox@mayfly.test')).toBeUndefined();
});
