import { expect, it } from 'vitest';

import { dayMs, hourMs } from '../../../test/contract/store-fixture.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { extendSession } from './extend-session.ts';

it('moves the end to now and the lifetime, the default one when none is named', async () => {
  const { deps, store, lend } = await openServices();
  const session = await lend();
  store.clock.advance(1000);
  expect((await extendSession(deps, session, 7200)).expiresAt).toBe(store.clock.now() + 2 * hourMs);
  store.clock.advance(hourMs + 60_000);
  expect((await extendSession(deps, session, undefined)).expiresAt).toBe(store.clock.now() + hourMs);
});

it('never moves the end back', async () => {
  const { deps, lend } = await openServices();
  const session = await lend();
  const extended = await extendSession(deps, session, 60);
  expect(extended.expiresAt).toBe(session.expiresAt);
  expect(extended.version).toBe(session.version);
});

it('never passes the total, however often', async () => {
  const { deps, store, lend } = await openServices();
  const session = await lend();
  let expiresAt = 0;
  for (let day = 0; day < 10 && expiresAt !== session.latestEndAt; day++) {
    ({ expiresAt } = await extendSession(deps, session, 86_400));
    store.clock.advance(dayMs - 1000);
  }
  expect(expiresAt).toBe(session.createdAt + 7 * dayMs);
});

it('refuses a lifetime out of bounds, and an ended session', async () => {
  const { deps, store, lend } = await openServices();
  const [session, other] = [await lend(), await lend()];
  for (const seconds of [0, 59, 86_401]) {
    await expect(extendSession(deps, session, seconds)).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_parameter', parameter: 'lifetime' }),
    );
  }
  await store.mail.endSession(other.key);
  store.clock.advance(hourMs);
  for (const ended of [session, other]) {
    await expect(extendSession(deps, ended, 60)).rejects.toThrow(
      expect.objectContaining({ code: 'session_expired' }),
    );
  }
});
