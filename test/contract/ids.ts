// Contract: nothing left by one session, domain, key or account is attributed to a later one. One test for each kind
// of row that refers to another. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import { ownLeases } from '../../src/store/lease-store.ts';
import type { DueWebhook } from '../../src/store/jobs-store.ts';
import {
  createLive,
  dayMs,
  deliverOne,
  deliveryOf,
  hourMs,
  leaseWebhooks,
  listIds,
  minuteMs,
  newSession,
  openForTest,
  type OpenedStore,
  type OpenStore,
  readAll,
  sweep,
} from './store-fixture.ts';
import { accountSettings } from './gmail.ts';

const outbox = { operator: true, sessions: true, rowsPerEndpoint: 100 };
const hostTag = Buffer.alloc(32, 7);
const restMs = 30 * dayMs;
const leaseMs = 30_000;

function leaseAll(store: OpenedStore): Promise<DueWebhook[]> {
  return leaseWebhooks(store.jobs, leaseMs);
}

/** Returns the deliveries for endpoints of sessions, by session. */
function sessionDeliveries(due: readonly DueWebhook[], session: Session): string[] {
  return due
    .filter(({ sealed, key }) => sealed !== null && Buffer.compare(key, session.key) === 0)
    .map(({ kind }) => kind);
}

/** Ends the sessions and lets the store forget them; reopens it, because counters must outlive the process. */
async function forget(store: OpenedStore, ...sessions: Session[]): Promise<void> {
  for (const { key } of sessions) await store.mail.endSession(key);
  await sweep(store);
  store.clock.advance(dayMs + minuteMs);
  await sweep(store);
  await store.reopen();
  for (const { key } of sessions) {
    expect(await store.mail.findSessionByKey(key)).toEqual({ state: 'unknown' });
  }
}

async function addEndpoint(store: OpenedStore, { key }: Session, isActive: boolean): Promise<number> {
  await store.jobs.addEndpoint({ key, sealed: Buffer.from('of a stranger'), hostTag });
  const challenge = (await leaseAll(store)).find(({ kind }) => kind === 'webhook.challenge');
  if (!challenge) throw new Error('The challenge is not due.');
  if (isActive) await store.jobs.activateEndpoint(challenge);
  return challenge.endpointId;
}

export function idContract(open: OpenStore): void {
  webhookContract(open);
  messageContract(open);
  addressContract(open);
  gmailContract(open);
  countingContract(open);
}

function webhookContract(open: OpenStore): void {
  it.each([true, false])(
    'sends nothing of a new session to an old one’s endpoint (active: %s)',
    async (isActive) => {
      const store = await openForTest(open, { outbox });
      const old = await createLive(store);
      await addEndpoint(store, old, isActive);
      await forget(store, old);
      await store.jobs.tidy({ giveUpMs: dayMs, deadMs: 7 * dayMs, deadPerEndpoint: Infinity });
      const session = await createLive(store);
      await deliverOne(store, session);
      await store.mail.extendSession(session.key, 2 * hourMs);
      const due = await leaseAll(store);
      expect(sessionDeliveries(due, session)).toEqual([]);
      expect(due.filter(({ sealed }) => sealed !== null)).toEqual([]);
      expect(await store.jobs.countEndpoints(hostTag)).toBeLessThanOrEqual(1);
    },
  );

  it('gives nothing queued for an old session to a new one’s endpoint', async () => {
    const store = await openForTest(open, { outbox });
    const old = await createLive(store);
    const oldEndpoint = await addEndpoint(store, old, true);
    await deliverOne(store, old);
    await forget(store, old);
    await store.jobs.tidy({ giveUpMs: dayMs, deadMs: 7 * dayMs, deadPerEndpoint: Infinity });
    const session = await createLive(store);
    expect(await addEndpoint(store, session, true)).toBeGreaterThan(oldEndpoint);
    await deliverOne(store, session);
    expect(sessionDeliveries(await leaseAll(store), session)).toEqual(['message.received']);
  });

  it('replays no dead letter of an old session for a new one', async () => {
    const store = await openForTest(open, { outbox });
    const old = await createLive(store);
    await addEndpoint(store, old, true);
    await deliverOne(store, old);
    for (const due of await leaseAll(store)) await store.jobs.bury(due, 'answered 500');
    await forget(store, old);
    const session = await createLive(store);
    await store.jobs.replayDead('all');
    const due = await leaseAll(store);
    expect(due.filter(({ key }) => Buffer.compare(key, session.key) === 0)).toEqual([]);
  });

  it('lets a worker with a row of an old session change no row of a new one', async () => {
    const store = await openForTest(open, { outbox });
    const old = await createLive(store);
    await deliverOne(store, old);
    const [held] = await leaseAll(store);
    await forget(store, old);
    await store.jobs.tidy({ giveUpMs: 1, deadMs: 1, deadPerEndpoint: Infinity });
    store.clock.advance(1);
    await store.jobs.tidy({ giveUpMs: dayMs, deadMs: 1, deadPerEndpoint: Infinity });
    await deliverOne(store, await createLive(store));
    expect(await store.jobs.finish(held!)).toBe(false);
    expect((await leaseAll(store)).map(({ kind }) => kind)).toEqual(['message.received']);
  });
}

function messageContract(open: OpenStore): void {
  it('shows a new session no message, note, event or attempt of an old one', async () => {
    const store = await openForTest(open);
    const old = await createLive(store);
    await deliverOne(store, old, 'old');
    await store.mail.markRead(old.key, 1);
    await store.mail.keepGlance(old.key, 1, Buffer.from('glance'));
    await store.mail.keepAuthentication(old.key, 1, Buffer.from('authentication'));
    await store.attempts.addAttempt(old.key, Buffer.from('attempt'));
    await store.mail.extendSession(old.key, 2 * hourMs);
    await forget(store, old);
    const session = await createLive(store);
    expect(await listIds(store, session)).toEqual([]);
    expect(await store.attempts.listAttempts(session.key)).toEqual([]);
    expect((await store.mail.listEvents(session.key, 0, 9)).events).toEqual([]);
    expect(await deliverOne(store, session, 'new')).toBe(1);
    expect(await store.mail.findMessage(session.key, 1)).toMatchObject({ isRead: false, glance: null });
    expect(await store.mail.findAuthentication(session.key, 1)).toBeUndefined();
    expect((await readAll(store, session, 1)).toString()).toBe('new');
  });

  it('stores a message for a new session although an old one had its origin', async () => {
    const store = await openForTest(open);
    const origin = Buffer.alloc(16, 1);
    const old = await createLive(store);
    await store.mail.deliver([{ ...deliveryOf(old), origin }]);
    await forget(store, old);
    const session = await createLive(store);
    expect(await store.mail.deliver([{ ...deliveryOf(session), origin }])).toMatchObject([
      { outcome: 'stored' },
    ]);
  });

  it('puts no chunk of a large message of an old session into one of a new session', async () => {
    const store = await openForTest(open);
    const large = (fill: number): Buffer[] => Array.from({ length: 8 }, () => Buffer.alloc(256 * 1024, fill));
    const old = await createLive(store);
    await deliverOne(store, old, large(1));
    await store.mail.deleteMessage(old.key, 1);
    await deliverOne(store, old, large(2));
    await forget(store, old);
    const session = await createLive(store);
    const id = await deliverOne(store, session, large(3));
    expect((await readAll(store, session, id)).equals(Buffer.concat(large(3)))).toBe(true);
    await sweep(store);
    expect((await readAll(store, session, id)).equals(Buffer.concat(large(3)))).toBe(true);
  });
}

function addressContract(open: OpenStore): void {
  it('finds no new session by the address of an old one, and frees that address at no new one’s end', async () => {
    const store = await openForTest(open);
    const old = await createLive(store, { quarantineMs: restMs });
    await forget(store, old);
    const session = await createLive(store);
    expect(await store.mail.findLiveSession(old.address)).toBeUndefined();
    expect((await store.finder.findLive('', 10)).map(({ address }) => address)).toEqual([session.address]);
    await store.mail.endSession(session.key);
    await sweep(store);
    const again = newSession({ address: old.address });
    expect(await store.mail.createSession(again)).toBe('taken');
    store.clock.advance(restMs);
    expect(await store.mail.createSession(again)).not.toBe('taken');
  });
}

function gmailContract(open: OpenStore): void {
  it('holds back or releases no message in an account for another session', async () => {
    const store = await openForTest(open);
    const { id } = await store.gmail.addAccount(accountSettings());
    const lent = { accountId: id };
    const old = await createLive(store, lent);
    const cleanup = { folder: 'INBOX', uidValidity: 1, messageTag: '<tag@example.org>' };
    const due = async (): Promise<number[]> =>
      (await store.gmail.listDueCleanups(id, 10)).map(({ uid }) => uid);
    await store.gmail.addCleanup(id, { ...cleanup, uid: 1 }, [old.key]);
    await forget(store, old);
    const [session, other] = [await createLive(store, lent), await createLive(store, lent)];
    await store.gmail.addCleanup(id, { ...cleanup, uid: 2 }, [session.key]);
    expect(await due()).toEqual([1]);
    await store.mail.endSession(other.key);
    expect(await due()).toEqual([1]);
    await store.mail.endSession(session.key);
    expect(await due()).toEqual([1, 2]);
  });

  it('gives an account nothing of a removed one, nor its id', async () => {
    const store = await openForTest(open);
    const { leases } = store.shared ?? { leases: ownLeases };
    const lease = (await leases.takeLease('gmail', 'node', minuteMs))!;
    const old = await store.gmail.addAccount(accountSettings());
    const cursor = { uidValidity: 1, lastUid: 9 };
    await store.gmail.keepProgress(lease, {
      accountId: old.id,
      folder: 'INBOX',
      cursor,
      bytes: 5,
      unmatched: 1,
    });
    const cleanup = { folder: 'INBOX', uidValidity: 1, uid: 1, messageTag: '<tag@example.org>' };
    await store.gmail.addCleanup(old.id, cleanup, []);
    const lent = await createLive(store, { accountId: old.id });
    await store.gmail.removeAccount(old.email);
    await store.reopen();
    const { id } = await store.gmail.addAccount(accountSettings({ email: 'other.fox@gmail.com' }));
    expect(id).toBeGreaterThan(old.id);
    expect(await store.gmail.findCursor(id, 'INBOX')).toBeUndefined();
    expect(await store.gmail.listDueCleanups(id, 10)).toEqual([]);
    expect((await store.mail.findSessionByKey(lent.key)).state).toBe('ended');
    expect(await store.gmail.listAccounts()).toMatchObject([
      { liveSessions: 0, bytesToday: 0, unmatched: 0 },
    ]);
  });
}

function countingContract(open: OpenStore): void {
  it('gives a domain and an endpoint that come after a removed one a higher id', async () => {
    const store = await openForTest(open, { outbox });
    const domain = await store.directory.addDomain('old.test', undefined, 0);
    await store.directory.removeDomain('old.test');
    const first = await createLive(store);
    const endpointId = await addEndpoint(store, first, true);
    await forget(store, first);
    await store.jobs.tidy({ giveUpMs: dayMs, deadMs: 1, deadPerEndpoint: Infinity });
    store.clock.advance(2);
    await store.jobs.tidy({ giveUpMs: dayMs, deadMs: 1, deadPerEndpoint: Infinity });
    await store.reopen();
    expect((await store.directory.addDomain('new.test', undefined, 0)).id).toBeGreaterThan(domain.id);
    expect(await addEndpoint(store, await createLive(store), true)).toBeGreaterThan(endpointId);
  });
}
