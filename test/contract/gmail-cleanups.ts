// Contract: messages to clean up in Gmail accounts, and pollers that have lost their lease. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';

import { accountSettings, takeLease, takeLostLease } from './gmail.ts';
import {
  createLive,
  dayMs,
  minuteMs,
  newSession,
  openForTest,
  type OpenStore,
  sweep,
} from './store-fixture.ts';

function cleanupOf(uid: number) {
  return { folder: 'INBOX', uidValidity: 4_294_967_295, uid, messageTag: `<${uid}@example.org>` };
}

export function gmailCleanupContract(open: OpenStore): void {
  it('reports a message to clean up once all of its sessions have ended, however they ended', async () => {
    const store = await openForTest(open);
    const { id } = await store.gmail.addAccount(accountSettings());
    const due = async (): Promise<number[]> =>
      (await store.gmail.listDueCleanups(id, 10)).map(({ uid }) => uid);
    const [one, other, brief] = [
      await createLive(store, { accountId: id }),
      await createLive(store, { accountId: id }),
      await createLive(store, { accountId: id, lifetimeMs: minuteMs }),
    ];
    await store.gmail.addCleanup(id, cleanupOf(1), [one.key]);
    await store.gmail.addCleanup(id, cleanupOf(2), [one.key, other.key]);
    await store.gmail.addCleanup(id, cleanupOf(3), [brief.key]);
    expect(await due()).toEqual([]);
    await store.mail.endSession(one.key);
    expect(await due()).toEqual([1]);
    await store.mail.extendSession(other.key, dayMs);
    await store.mail.endSession(other.key);
    expect(await due()).toEqual([1, 2]);
    store.clock.advance(minuteMs);
    await sweep(store);
    expect(await due()).toEqual([1, 2, 3]);
    store.clock.advance(2 * dayMs);
    await sweep(store);
    await store.reopen();
    expect(await due()).toEqual([1, 2, 3]);
    expect(await store.gmail.listDueCleanups(id, 2)).toMatchObject([cleanupOf(1), cleanupOf(2)]);
  });

  it('has a message due at once when its sessions have ended already', async () => {
    const store = await openForTest(open);
    const { id } = await store.gmail.addAccount(accountSettings());
    const session = await createLive(store, { accountId: id });
    await store.mail.endSession(session.key);
    await store.gmail.addCleanup(id, cleanupOf(1), [session.key, newSession().key]);
    expect(await store.gmail.listDueCleanups(id, 10)).toMatchObject([cleanupOf(1)]);
  });

  it('keeps a message that is added again once, for the sessions of both times', async () => {
    const store = await openForTest(open);
    const { id } = await store.gmail.addAccount(accountSettings());
    const lend = (): Promise<Session> => createLive(store, { accountId: id });
    const [one, other] = [await lend(), await lend()];
    await store.gmail.addCleanup(id, cleanupOf(1), [one.key]);
    await store.gmail.addCleanup(id, cleanupOf(1), [one.key, other.key]);
    await store.mail.endSession(one.key);
    expect(await store.gmail.listDueCleanups(id, 10)).toEqual([]);
    await store.mail.endSession(other.key);
    expect(await store.gmail.listDueCleanups(id, 10)).toHaveLength(1);
  });

  it('forgets what is done, and what was to be done in an account that is removed', async () => {
    const store = await openForTest(open);
    const lease = await takeLease(store);
    const one = await store.gmail.addAccount(accountSettings());
    const other = await store.gmail.addAccount(accountSettings({ email: 'other@gmail.com' }));
    for (const uid of [1, 2]) await store.gmail.addCleanup(one.id, cleanupOf(uid), []);
    await store.gmail.addCleanup(other.id, cleanupOf(3), []);
    const [first] = await store.gmail.listDueCleanups(one.id, 1);
    expect(await store.gmail.finishCleanup(lease, first?.id ?? 0)).toBe(true);
    expect(await store.gmail.listDueCleanups(one.id, 9)).toMatchObject([cleanupOf(2)]);
    await store.gmail.removeAccount(one.email);
    expect(await store.gmail.listDueCleanups(one.id, 9)).toEqual([]);
    expect(await store.gmail.listDueCleanups(other.id, 9)).toMatchObject([cleanupOf(3)]);
  });
}

/** For stores shared by nodes. */
export function fencedGmailContract(open: OpenStore): void {
  it('changes nothing for a holder that has lost the lease', async () => {
    const store = await openForTest(open);
    const lost = await takeLostLease(store);
    const { id: accountId } = await store.gmail.addAccount(accountSettings());
    const before = await store.gmail.listAccounts();
    const cursor = { uidValidity: 1, lastUid: 1 };
    const progress = { accountId, folder: 'INBOX', cursor, bytes: 1, unmatched: 1 };
    expect(await store.gmail.keepProgress(lost, progress)).toBe(false);
    expect(await store.gmail.keepHealth(lost, accountId, { health: 'healthy', detail: '' })).toBe(false);
    await store.gmail.addCleanup(accountId, cleanupOf(1), []);
    const [due] = await store.gmail.listDueCleanups(accountId, 1);
    expect(await store.gmail.finishCleanup(lost, due?.id ?? 0)).toBe(false);
    expect(await store.gmail.listDueCleanups(accountId, 1)).toEqual([due]);
    expect(await store.gmail.findCursor(accountId, 'INBOX')).toBeUndefined();
    expect(await store.gmail.listAccounts()).toEqual(before);
  });
}
