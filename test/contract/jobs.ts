// Contract: webhook endpoints and the outbox. Part of mail-store.ts.

import { expect, it } from 'vitest';

import { type DueWebhook, type JobsStore, operatorEndpointId } from '../../src/store/jobs-store.ts';
import type { Session } from '../../src/domain/session.ts';
import {
  createLive,
  deliverOne,
  deliveryOf,
  hourMs,
  leaseWebhooks,
  newSession,
  openForTest,
  type OpenedStore,
  type OpenStore,
  poisonedDeliveryOf,
  sweep,
} from './store-fixture.ts';

const all = { operator: true, sessions: true, rowsPerEndpoint: 100 };
const onlySessions = { ...all, operator: false };
const leaseMs = 30_000;
const giveUpMs = 24 * hourMs;
const deadMs = 7 * giveUpMs;
const ages = { giveUpMs, deadMs, deadPerEndpoint: Infinity };
const hostTag = Buffer.alloc(32, 7);

function lease(jobs: JobsStore, rows?: number): Promise<DueWebhook[]> {
  return leaseWebhooks(jobs, leaseMs, rows);
}

const kinds = (due: readonly DueWebhook[]): string[] => due.map(({ kind, seq }) => `${seq} ${kind}`);

/** Creates a session whose endpoint has answered its challenge. */
async function withEndpoint(store: OpenedStore): Promise<{ session: Session; endpointId: number }> {
  const session = await createLive(store);
  expect(await store.jobs.addEndpoint({ key: session.key, sealed: Buffer.from('sealed'), hostTag })).toBe(
    true,
  );
  const [challenge] = await lease(store.jobs);
  expect(await store.jobs.activateEndpoint(challenge!)).toBe(true);
  return { session, endpointId: challenge!.endpointId };
}

export function jobsContract(open: OpenStore): void {
  fillingContract(open);
  endpointContract(open);
  leaseContract(open);
  deadContract(open);
}

function fillingContract(open: OpenStore): void {
  it("queues every event of every session for the operator's endpoint, with the event", async () => {
    const store = await openForTest(open, { outbox: all });
    const session = await createLive(store);
    const id = await deliverOne(store, session);
    await store.mail.extendSession(session.key, 2 * hourMs);
    await store.mail.deleteMessage(session.key, id);
    await store.mail.endSession(session.key);
    const due = await lease(store.jobs);
    expect(kinds(due)).toEqual([
      '1 message.received',
      '2 session.extended',
      '3 message.deleted',
      '4 session.expired',
    ]);
    expect(due[0]).toEqual({
      rowId: due[0]!.rowId,
      lease: 1,
      endpointId: operatorEndpointId,
      sealed: null,
      key: expect.objectContaining({ length: 16 }),
      seq: 1,
      kind: 'message.received',
      messageId: 1,
      at: store.clock.now(),
      attempts: 0,
      content: null,
    });
    expect(due.map(({ messageId }) => messageId)).toEqual([1, null, 1, null]);
    expect(Buffer.compare(due[0]!.key, session.key)).toBe(0);
  });

  it('queues nothing for an event that was not committed', async () => {
    const store = await openForTest(open, { outbox: all });
    const session = await createLive(store);
    await expect(store.mail.deliver([deliveryOf(session), poisonedDeliveryOf(session)])).rejects.toThrow(
      'poisoned',
    );
    expect(await lease(store.jobs)).toEqual([]);
  });

  it('keeps the queue across a restart', async () => {
    const store = await openForTest(open, { outbox: all });
    await deliverOne(store, await createLive(store));
    await store.reopen();
    expect(kinds(await lease(store.jobs))).toEqual(['1 message.received']);
  });

  it('queues nothing where webhooks are off', async () => {
    const store = await openForTest(open);
    await deliverOne(store, await createLive(store));
    expect(await lease(store.jobs)).toEqual([]);
  });

  it('queues up to the limit of an endpoint, and again when there is room', async () => {
    const store = await openForTest(open, { outbox: { ...all, rowsPerEndpoint: 3 } });
    const session = await createLive(store);
    for (let count = 0; count < 5; count++) await deliverOne(store, session);
    const due = await lease(store.jobs);
    expect(due.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(await store.jobs.takeOverflow()).toEqual([{ endpointId: operatorEndpointId, events: 2 }]);
    expect(await store.jobs.takeOverflow()).toEqual([]);
    await store.jobs.finish(due[0]!);
    await deliverOne(store, session);
    expect(kinds(await lease(store.jobs))).toEqual(['6 message.received']);
  });
}

function endpointContract(open: OpenStore): void {
  it('queues the challenge first and holds events back until the endpoint is active', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const session = await createLive(store);
    await store.jobs.addEndpoint({ key: session.key, sealed: Buffer.from('sealed'), hostTag });
    await deliverOne(store, session);
    const due = await lease(store.jobs);
    expect(kinds(due)).toEqual(['0 webhook.challenge']);
    expect(Buffer.from(due[0]!.sealed!).toString()).toBe('sealed');
    expect(await lease(store.jobs)).toEqual([]);
    expect(await store.jobs.activateEndpoint(due[0]!)).toBe(true);
    expect(await store.jobs.activateEndpoint(due[0]!)).toBe(false);
    expect(kinds(await lease(store.jobs))).toEqual(['1 message.received']);
  });

  it('sends an endpoint only its own session’s events', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const { session } = await withEndpoint(store);
    await deliverOne(store, await createLive(store));
    await deliverOne(store, session);
    const due = await lease(store.jobs);
    expect(due.map(({ key }) => Buffer.from(key))).toEqual([Buffer.from(session.key)]);
  });

  it('drops what is queued for an endpoint that is closed, and queues no more', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const { session, endpointId } = await withEndpoint(store);
    await deliverOne(store, session);
    await store.jobs.closeEndpoint(endpointId, 'answered_410');
    await deliverOne(store, session);
    expect(await lease(store.jobs)).toEqual([]);
  });

  it('counts endpoints on a host until they are closed', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const { endpointId } = await withEndpoint(store);
    await withEndpoint(store);
    expect([
      await store.jobs.countEndpoints(hostTag),
      await store.jobs.countEndpoints(Buffer.alloc(32)),
    ]).toEqual([2, 0]);
    await store.jobs.closeEndpoint(endpointId, 'answered_410');
    expect(await store.jobs.countEndpoints(hostTag)).toBe(1);
  });

  it('adds none for a missing session', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const { key } = newSession();
    expect(await store.jobs.addEndpoint({ key, sealed: Buffer.from('sealed'), hostTag })).toBe(false);
  });

  it('forgets the endpoint of an ended session once nothing is queued for it', async () => {
    const store = await openForTest(open, { outbox: onlySessions });
    const { session } = await withEndpoint(store);
    await store.mail.endSession(session.key);
    await sweep(store);
    await store.jobs.tidy(ages);
    expect(await store.jobs.findEndpoint(session.key)).toMatchObject({ queued: 1 });
    const due = await lease(store.jobs);
    expect(kinds(due)).toEqual(['1 session.expired']);
    await store.jobs.finish(due[0]!);
    await store.jobs.tidy(ages);
    expect(await store.jobs.findEndpoint(session.key)).toBeUndefined();
  });
}

function leaseContract(open: OpenStore): void {
  it('gives a row to one worker until its lease expires; after that the old worker can change nothing', async () => {
    const store = await openForTest(open, { outbox: all });
    await deliverOne(store, await createLive(store));
    const [first] = await lease(store.jobs);
    expect(await lease(store.jobs)).toEqual([]);
    store.clock.advance(leaseMs);
    const [second] = await lease(store.jobs);
    expect(second).toMatchObject({ rowId: first!.rowId, lease: first!.lease + 1, attempts: 0 });
    expect(await store.jobs.postpone(first!, { delayMs: 0, isTry: true })).toBe(false);
    expect(await store.jobs.bury(first!, 'late')).toBe(false);
    expect(await store.jobs.finish(first!)).toBe(false);
    expect(await store.jobs.finish(second!)).toBe(true);
    expect(await store.jobs.finish(second!)).toBe(false);
  });

  it('returns a postponed row after its delay, with its attempts counted', async () => {
    const store = await openForTest(open, { outbox: all });
    await deliverOne(store, await createLive(store));
    const [first] = await lease(store.jobs);
    await store.jobs.postpone(first!, { delayMs: 5000, isTry: true });
    store.clock.advance(4999);
    expect(await lease(store.jobs)).toEqual([]);
    store.clock.advance(1);
    const [second] = await lease(store.jobs);
    expect(second!.attempts).toBe(1);
    await store.jobs.postpone(second!, { delayMs: 0, isTry: false });
    expect((await lease(store.jobs))[0]!.attempts).toBe(1);
  });

  it('returns at most the requested number, the longest due first', async () => {
    const store = await openForTest(open, { outbox: all });
    const session = await createLive(store);
    for (let count = 0; count < 4; count++) {
      await deliverOne(store, session);
      store.clock.advance(1);
    }
    expect((await lease(store.jobs, 3)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect((await lease(store.jobs, 3)).map(({ seq }) => seq)).toEqual([4]);
  });

  it('never gives one row to two of many workers', async () => {
    const store = await openForTest(open, { outbox: all });
    const session = await createLive(store);
    for (let count = 0; count < 40; count++) await deliverOne(store, session);
    const taken = (await Promise.all(Array.from({ length: 8 }, () => lease(store.jobs, 7)))).flat();
    expect(taken).toHaveLength(40);
    expect(new Set(taken.map(({ rowId }) => rowId)).size).toBe(40);
  });
}

function deadContract(open: OpenStore): void {
  it('keeps dead letters, lists them and replays one or all as if never attempted', async () => {
    const store = await openForTest(open, { outbox: all });
    const session = await createLive(store);
    for (let count = 0; count < 3; count++) await deliverOne(store, session);
    for (const due of await lease(store.jobs)) {
      expect(await store.jobs.bury(due, 'answered 500')).toBe(true);
      store.clock.advance(1);
    }
    const dead = await store.jobs.listDead(10);
    expect(dead.map(({ seq }) => seq)).toEqual([3, 2, 1]);
    expect(dead[2]).toMatchObject({ kind: 'message.received', attempts: 1, reason: 'answered 500' });
    expect(await store.jobs.listDead(1)).toHaveLength(1);
    expect(await lease(store.jobs)).toEqual([]);
    expect(await store.jobs.replayDead(dead[0]!.rowId)).toBe(1);
    expect(await store.jobs.replayDead(dead[0]!.rowId)).toBe(0);
    expect(await lease(store.jobs)).toMatchObject([{ seq: 3, attempts: 0 }]);
    expect(await store.jobs.replayDead('all')).toBe(2);
    expect(await store.jobs.listDead(10)).toEqual([]);
  });

  it('buries rows queued too long and drops old dead letters', async () => {
    const store = await openForTest(open, { outbox: all });
    await deliverOne(
      store,
      await createLive(store, { lifetimeMs: 20 * 24 * hourMs, totalLifetimeMs: 20 * 24 * hourMs }),
    );
    store.clock.advance(giveUpMs);
    await store.jobs.tidy(ages);
    expect(await store.jobs.listDead(10)).toMatchObject([{ seq: 1, reason: 'not delivered in time' }]);
    expect(await lease(store.jobs)).toEqual([]);
    await store.jobs.replayDead('all');
    await store.jobs.tidy(ages);
    const [again] = await lease(store.jobs);
    await store.jobs.bury(again!, 'x');
    store.clock.advance(deadMs);
    await store.jobs.tidy(ages);
    expect(await store.jobs.listDead(10)).toEqual([]);
  });
}
