// Contract: the order in which endpoints are served, the state kept of them, and what survives changed settings, ended
// sessions and crashes. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import type { DueEndpoint, DueExcept } from '#notifications/webhook-slots';
import { type DueWebhook, operatorEndpointId } from '../../src/store/jobs-store.ts';
import {
  createLive,
  deliverOne,
  hourMs,
  minuteMs,
  openForTest,
  type OpenedStore,
  type OpenStore,
  sweep,
} from './store-fixture.ts';

const both = { operator: true, sessions: true, rowsPerEndpoint: 100 };
const onlySessions = { ...both, operator: false };
const leaseMs = 30_000;
const giveUpMs = 24 * hourMs;
const ages = { giveUpMs, deadMs: 7 * giveUpMs, deadPerEndpoint: Infinity };
const anything: DueExcept = { standings: [], endpoints: [], hostTags: [], makerTags: [] };

interface WithEndpoint {
  readonly session: Session;
  readonly endpointId: number;
}

const tagOf = (text: string): Buffer => Buffer.from(text.padEnd(32, '.'));

/** Names of the host and of the creator's network. */
interface Place {
  readonly host?: string;
  readonly maker?: string;
}

async function addEndpoint(store: OpenedStore, { key }: Session, place: Place = {}): Promise<void> {
  const { host = 'host', maker = 'maker' } = place;
  const tags = { hostTag: tagOf(host), makerTag: tagOf(maker) };
  expect(await store.jobs.addEndpoint({ key, sealed: Buffer.from('sealed'), ...tags })).toBe(true);
}

async function listDue(store: OpenedStore, except: Partial<DueExcept> = {}): Promise<DueEndpoint[]> {
  return store.jobs.listDueEndpoints({ limit: 100, except: { ...anything, ...except } });
}

async function idsDue(store: OpenedStore, except: Partial<DueExcept> = {}): Promise<number[]> {
  return (await listDue(store, except)).map(({ endpointId }) => endpointId);
}

async function leaseOf(store: OpenedStore, endpointId: number, rows = 100): Promise<DueWebhook[]> {
  return store.jobs.leaseDue({ leaseMs, shares: [{ endpointId, rows }] });
}

/** Creates a session whose endpoint has answered its challenge. */
async function withEndpoint(store: OpenedStore, place?: Place): Promise<WithEndpoint> {
  const session = await createLive(store);
  await addEndpoint(store, session, place);
  const [due] = (await listDue(store)).filter(({ standing }) => standing === 'pending');
  const [challenge] = await leaseOf(store, due!.endpointId);
  expect(challenge!.kind).toBe('webhook.challenge');
  expect(await store.jobs.activateEndpoint(challenge!)).toBe(true);
  return { session, endpointId: due!.endpointId };
}

export function webhookTurnsContract(open: OpenStore): void {
  orderContract(open);
  statusContract(open);
  settingsContract(open);
  afterlifeContract(open);
}

function orderContract(open: OpenStore): void {
  it('serves endpoints in turn, however much is queued for each', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const first = await withEndpoint(store);
    const second = await withEndpoint(store);
    for (let count = 0; count < 5; count++) await deliverOne(store, first.session);
    store.clock.advance(1);
    await deliverOne(store, second.session);
    store.clock.advance(1);
    expect(await idsDue(store)).toEqual([first.endpointId, second.endpointId]);
    expect(await leaseOf(store, first.endpointId, 2)).toMatchObject([{ seq: 1 }, { seq: 2 }]);
    expect(await idsDue(store)).toEqual([second.endpointId, first.endpointId]);
    expect(await leaseOf(store, second.endpointId)).toMatchObject([{ seq: 1 }]);
    expect(await idsDue(store)).toEqual([first.endpointId]);
  });

  it('lists none of the excluded endpoints, hosts, networks and states', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const [a, b] = [
      await withEndpoint(store, { host: 'a', maker: 'm' }),
      await withEndpoint(store, { host: 'b', maker: 'n' }),
    ];
    for (const { session } of [a, b]) await deliverOne(store, session);
    await addEndpoint(store, await createLive(store), { host: 'c', maker: 'm' });
    const due = await listDue(store);
    expect(due.map(({ standing }) => standing)).toEqual(['active', 'active', 'pending']);
    expect(due.map(({ hostTag }) => Buffer.from(hostTag!).toString()[0])).toEqual(['a', 'b', 'c']);
    const pending = due[2]!.endpointId;
    expect(await idsDue(store, { endpoints: [a.endpointId] })).toEqual([b.endpointId, pending]);
    expect(await idsDue(store, { hostTags: [tagOf('b')] })).toEqual([a.endpointId, pending]);
    expect(await idsDue(store, { makerTags: [tagOf('m')] })).toEqual([b.endpointId]);
    expect(await idsDue(store, { standings: ['pending', 'failing'] })).toEqual([a.endpointId, b.endpointId]);
  });

  it('lists a pausing endpoint only after its pause, and then all that is due', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const { session, endpointId } = await withEndpoint(store);
    for (let count = 0; count < 3; count++) await deliverOne(store, session);
    const [due] = await leaseOf(store, endpointId, 1);
    await store.jobs.postpone(due!, { delayMs: 1000, isTry: true, error: 'timed_out', restMs: 10_000 });
    await deliverOne(store, session);
    store.clock.advance(9999);
    expect(await idsDue(store)).toEqual([]);
    store.clock.advance(1);
    expect(await listDue(store)).toMatchObject([{ endpointId, standing: 'failing' }]);
    const again = await leaseOf(store, endpointId);
    expect(again.map(({ seq }) => seq).sort()).toEqual([1, 2, 3, 4]);
    for (const one of again) await store.jobs.finish(one);
    await deliverOne(store, session);
    expect(await listDue(store)).toMatchObject([{ endpointId, standing: 'active' }]);
  });

  it('finds a pending endpoint again after its challenge failed', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    await addEndpoint(store, await createLive(store));
    const [{ endpointId } = { endpointId: 0 }] = await listDue(store);
    const [challenge] = await leaseOf(store, endpointId);
    await store.jobs.postpone(challenge!, { delayMs: 5000, isTry: true, error: 'timed_out' });
    expect(await idsDue(store)).toEqual([]);
    store.clock.advance(5000);
    expect(await listDue(store)).toMatchObject([{ endpointId, standing: 'pending' }]);
    expect(await leaseOf(store, endpointId)).toMatchObject([{ kind: 'webhook.challenge', attempts: 1 }]);
  });

  it('lists an endpoint again when a lease on its row expires', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const { session, endpointId } = await withEndpoint(store);
    await deliverOne(store, session);
    await leaseOf(store, endpointId);
    expect(await idsDue(store)).toEqual([]);
    store.clock.advance(leaseMs);
    expect(await idsDue(store)).toEqual([endpointId]);
  });

  it('keeps one session.extended a session for each endpoint, the newest', async () => {
    const store = await openForTest(open, { outbox: both });
    const { session, endpointId } = await withEndpoint(store);
    const seqs = async (id: number): Promise<string[]> =>
      (await leaseOf(store, id)).map(({ kind, seq }) => `${seq} ${kind}`);
    for (let count = 0; count < 3; count++) {
      store.clock.advance(minuteMs);
      await store.mail.extendSession(session.key, hourMs);
    }
    await deliverOne(store, session);
    expect(await store.jobs.findEndpoint(session.key)).toMatchObject({ queued: 2 });
    const [extended] = await leaseOf(store, endpointId, 1);
    expect(extended).toMatchObject({ kind: 'session.extended', seq: 3 });
    // The row in progress is included, and its end changes nothing.
    store.clock.advance(minuteMs);
    await store.mail.extendSession(session.key, hourMs);
    expect(await store.jobs.finish(extended!)).toBe(false);
    expect((await seqs(endpointId)).sort()).toEqual(['4 message.received', '5 session.extended']);
    expect((await seqs(operatorEndpointId)).sort()).toEqual(['4 message.received', '5 session.extended']);
  });
}

function statusContract(open: OpenStore): void {
  it('returns of an endpoint what its session may know', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const session = await createLive(store);
    const status = () => store.jobs.findEndpoint(session.key);
    expect(await status()).toBeUndefined();
    const at = store.clock.now();
    await addEndpoint(store, session);
    expect(await status()).toEqual({ standing: 'pending', lastError: null, queued: 1, nextTryAt: at });
    const [{ endpointId } = { endpointId: 0 }] = await listDue(store);
    await store.jobs.activateEndpoint((await leaseOf(store, endpointId))[0]!);
    expect(await status()).toEqual({ standing: 'active', lastError: null, queued: 0, nextTryAt: null });
    await deliverOne(store, session);
    const [due] = await leaseOf(store, endpointId);
    await store.jobs.postpone(due!, { delayMs: 5000, isTry: true, error: 'answered_500' });
    expect(await status()).toEqual({
      standing: 'failing',
      lastError: 'answered_500',
      queued: 1,
      nextTryAt: at + 5000,
    });
    store.clock.advance(5000);
    await store.jobs.finish((await leaseOf(store, endpointId))[0]!);
    expect(await status()).toEqual({ standing: 'active', lastError: null, queued: 0, nextTryAt: null });
    await deliverOne(store, session);
    await store.jobs.closeEndpoint(endpointId, 'answered_410');
    expect(await status()).toEqual({
      standing: 'disabled',
      lastError: 'answered_410',
      queued: 0,
      nextTryAt: null,
    });
  });

  it('counts neither ended nor expired sessions on a host', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const [first, , third] = [await withEndpoint(store), await withEndpoint(store), await createLive(store)];
    await addEndpoint(store, third);
    const count = () => store.jobs.countEndpoints(tagOf('host'));
    expect(await count()).toBe(3);
    await store.mail.endSession(first.session.key);
    expect(await count()).toBe(2);
    await store.mail.endSession(third.key);
    await store.jobs.tidy(ages);
    expect(await count()).toBe(1);
    store.clock.advance(2 * hourMs);
    expect(await count()).toBe(0);
  });

  it('requeues the challenge of an endpoint that waits for one in vain', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    await addEndpoint(store, await createLive(store));
    const [{ endpointId } = { endpointId: 0 }] = await listDue(store);
    // The state an earlier version left when it stopped between the two.
    await store.jobs.finish((await leaseOf(store, endpointId))[0]!);
    expect(await idsDue(store)).toEqual([]);
    await store.jobs.tidy(ages);
    await store.jobs.tidy(ages);
    expect(await leaseOf(store, endpointId)).toMatchObject([{ kind: 'webhook.challenge', attempts: 0 }]);
  });
}

function settingsContract(open: OpenStore): void {
  it('opens with other settings without changing any webhook', async () => {
    const store = await openForTest(open, { outbox: both });
    const { session, endpointId } = await withEndpoint(store);
    await deliverOne(store, session);
    for (const outbox of [undefined, onlySessions, { ...both, sessions: false }]) {
      await store.reopen(outbox ? { outbox } : {});
    }
    await store.reopen();
    expect(await leaseOf(store, operatorEndpointId)).toMatchObject([{ seq: 1, kind: 'message.received' }]);
    expect(await leaseOf(store, endpointId)).toMatchObject([{ seq: 1, kind: 'message.received' }]);
    await deliverOne(store, session);
    expect(await leaseOf(store, operatorEndpointId)).toMatchObject([{ seq: 2 }]);
  });

  it("queues for the operator's endpoint only events written with its URL set", async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const { session, endpointId } = await withEndpoint(store);
    await deliverOne(store, session);
    expect(await leaseOf(store, operatorEndpointId)).toEqual([]);
    await store.reopen({ outbox: both });
    await deliverOne(store, session);
    await store.reopen({ outbox: onlySessions });
    await store.mail.extendSession(session.key, 2 * hourMs);
    expect((await leaseOf(store, operatorEndpointId)).map(({ seq }) => seq)).toEqual([2]);
    expect((await leaseOf(store, endpointId)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });
}

function afterlifeContract(open: OpenStore): void {
  it('keeps dead letters for their time although the session is long forgotten, and replays them', async () => {
    const store = await openForTest(open, { outbox: both });
    const { session, endpointId } = await withEndpoint(store);
    await deliverOne(store, session);
    for (const id of [operatorEndpointId, endpointId]) {
      for (const due of await leaseOf(store, id)) await store.jobs.bury(due, 'answered 410');
    }
    await store.mail.endSession(session.key);
    for (let day = 0; day < 6; day++) {
      store.clock.advance(24 * hourMs + 1);
      await sweep(store);
      await store.jobs.tidy(ages);
    }
    const dead = await store.jobs.listDead(10);
    expect(
      dead
        .filter(({ kind }) => kind === 'message.received')
        .map((one) => one.endpointId)
        .sort(),
    ).toEqual([operatorEndpointId, endpointId]);
    expect(await store.jobs.replayDead('all')).toBe(dead.length);
    const [replayed] = await leaseOf(store, operatorEndpointId);
    expect(Buffer.from(replayed!.key)).toEqual(Buffer.from(session.key));
    const [own] = await leaseOf(store, endpointId);
    expect(Buffer.from(own!.sealed!).toString()).toBe('sealed');
    for (const one of await leaseOf(store, endpointId)) await store.jobs.finish(one);
    await store.jobs.bury(own!, 'answered 500');
    for (let times = 0; times < 2; times++) {
      store.clock.advance(ages.deadMs);
      await store.jobs.tidy(ages);
    }
    expect(await store.jobs.listDead(10)).toEqual([]);
  });

  it('does not count dead letters as queued, and keeps at most the maximum', async () => {
    const store = await openForTest(open, { outbox: { ...both, rowsPerEndpoint: 3 } });
    const session = await createLive(store);
    for (let count = 0; count < 5; count++) {
      await deliverOne(store, session);
      store.clock.advance(1);
      for (const due of await leaseOf(store, operatorEndpointId)) await store.jobs.bury(due, 'answered 410');
    }
    expect(await store.jobs.takeOverflow()).toEqual([]);
    for (let count = 0; count < 4; count++) await deliverOne(store, session);
    expect((await leaseOf(store, operatorEndpointId)).map(({ seq }) => seq)).toEqual([6, 7, 8]);
    expect(await store.jobs.takeOverflow()).toEqual([{ endpointId: operatorEndpointId, events: 1 }]);
    await store.jobs.tidy({ ...ages, deadPerEndpoint: 2 });
    expect((await store.jobs.listDead(10)).map(({ seq }) => seq)).toEqual([5, 4]);
  });

  it('gives up no challenge for its age, and drops what waits for one once the session is over', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const session = await createLive(store, { lifetimeMs: 30 * hourMs, totalLifetimeMs: 30 * hourMs });
    await addEndpoint(store, session);
    await deliverOne(store, session);
    store.clock.advance(25 * hourMs);
    await store.jobs.tidy(ages);
    expect(await listDue(store)).toMatchObject([{ standing: 'pending' }]);
    await store.mail.endSession(session.key);
    await store.jobs.tidy(ages);
    expect(await listDue(store)).toEqual([]);
    expect(await store.jobs.findEndpoint(session.key)).toBeUndefined();
  });
}
