import { afterEach, expect, it, vi } from 'vitest';

import { parseMailbox } from '#mail-receiver/address';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { createSession } from '../addresses/create-session.ts';
import { expectMail, expectMailOfLive } from './expect-reads.ts';
import { extendSession } from '../addresses/extend-session.ts';
import { resolveRecipient } from '../receiving/resolve-recipient.ts';
import { waitFor } from '../live/wait-for.ts';

const asker = { gone: new AbortController().signal };

afterEach(() => {
  vi.restoreAllMocks();
});

async function openExpecting() {
  const services = await openServices();
  // The store's clock is the test's own.
  vi.spyOn(Date, 'now').mockImplementation(() => services.store.clock.now());
  const kept: number[] = [];
  const readers = { expect: (keepMs = 0): void => void kept.push(keepMs) };
  return { services, deps: { ...services.deps, readers }, kept };
}

it.each([
  ['a session is lent', ({ deps }) => createSession(deps, {})],
  ['it is extended', async ({ deps, services }) => extendSession(deps, await services.lend(), 7200)],
  [
    'somebody waits for its mail',
    async ({ deps, services }) => {
      const session = await services.lend();
      await waitFor(deps, { session, timeoutMs: 1, asker }, () => Promise.resolve(true));
    },
  ],
  [
    'mail comes for it',
    async ({ deps, services }) => {
      const { address } = await services.lend();
      await resolveRecipient(deps, parseMailbox(address)!);
    },
  ],
] satisfies [string, (open: Awaited<ReturnType<typeof openExpecting>>) => Promise<unknown>][])(
  'expects mail as long as a session lives when %s',
  async (_, act) => {
    const open = await openExpecting();
    await act(open);
    expect(open.kept).toHaveLength(1);
    expect(open.kept[0]).toBeGreaterThan(0);
  },
);

it('expects mail at a start for as long as the last of the sessions lives, and none where there is no session', async () => {
  const { services, deps, kept } = await openExpecting();
  await expectMailOfLive(deps, services.store.finder);
  expect(kept).toEqual([]);
  const lent = [await services.lend(), await services.lend()];
  await expectMailOfLive(deps, services.store.finder);
  const last = Math.max(...lent.map(({ expiresAt }) => expiresAt));
  expect(kept).toHaveLength(1);
  expect(kept[0]).toBeGreaterThan(last - Date.now() - 60_000);
});

it('expects no mail for a session that ends now', () => {
  const kept: number[] = [];
  const readers = { expect: (keepMs = 0): void => void kept.push(keepMs) };
  const now = (): number => 5000;
  for (const expiresAt of [4999, 5000, 5001]) expectMail({ readers, now }, { expiresAt });
  expect(kept).toEqual([1]);
});
