import { expect, it } from 'vitest';

import { codeOf } from '#system-errors/error-code';
import { sharesMax } from '../../domain/share.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { authenticateShare, createShare, listShares } from './share-session.ts';

it('ends a share at its moment, for its holder and in the list', async () => {
  const { deps, store, lend } = await openServices();
  const session = await lend();
  const live = { session, now: store.clock.now() };
  const { token, share } = await createShare(deps, live, { lifetimeSeconds: 60 });
  expect(share.expiresAt).toBe(live.now + 60_000);
  store.clock.advance(59_999);
  expect((await authenticateShare(deps, token)).share).toEqual(share);
  expect(await listShares(deps, { ...live, now: live.now + 59_999 })).toEqual([share]);
  store.clock.advance(1);
  await expect(authenticateShare(deps, token)).rejects.toThrow('session_expired');
  expect(await listShares(deps, { ...live, now: live.now + 60_000 })).toEqual([]);
});

it('makes every share that is asked for at the same time, up to the limit', async () => {
  const { deps, store, lend } = await openServices();
  const live = { session: await lend(), now: store.clock.now() };
  const asked = Array.from({ length: 60 }, () => createShare(deps, live, {}));
  const outcomes = (await Promise.allSettled(asked)).map((one) =>
    one.status === 'fulfilled' ? 'made' : codeOf(one.reason),
  );
  expect(outcomes.filter((one) => one === 'made')).toHaveLength(sharesMax);
  expect(new Set(outcomes)).toEqual(new Set(['made', 'too_many_shares']));
  expect(await listShares(deps, live)).toHaveLength(sharesMax);
});
