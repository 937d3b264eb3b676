// Contract: the limits on a session's messages and bytes. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import {
  createLive,
  deliverOne,
  deliveryOf,
  listIds,
  type OpenedStore,
  openForTest,
  type OpenStore,
  readAll,
  sweep,
} from './store-fixture.ts';

const full = [{ outcome: 'full' }];

export function quotaContract(open: OpenStore): void {
  droppingContract(open);

  it('is full at its number of messages, and deleting one makes room for one', async () => {
    const store = await openForTest(open, { quota: { messages: 2, bytes: Infinity } });
    const session = await createLive(store);
    await deliverOne(store, session);
    await deliverOne(store, session);
    expect(await store.mail.deliver([deliveryOf(session)])).toEqual(full);
    await store.mail.deleteMessage(session.key, 1);
    await store.mail.deleteMessage(session.key, 1);
    await deliverOne(store, session);
    expect(await store.mail.deliver([deliveryOf(session)])).toEqual(full);
  });

  it('is full when one more message would not fit, to the byte', async () => {
    const store = await openForTest(open, { quota: { messages: Infinity, bytes: 100 } });
    const session = await createLive(store);
    const id = await deliverOne(store, session, 'x'.repeat(60));
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(41))])).toEqual(full);
    await deliverOne(store, session, 'x'.repeat(40));
    expect(await store.mail.deliver([deliveryOf(session, 'x')])).toEqual(full);
    await store.mail.deleteMessage(session.key, id);
    await deliverOne(store, session, 'x'.repeat(60));
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({
      session: { messageCount: 2, messageBytes: 100 },
    });
  });

  it('counts within one delivery and within one group', async () => {
    const store = await openForTest(open, { quota: { messages: 3, bytes: Infinity } });
    const session = await createLive(store);
    const twice = [deliveryOf(session), deliveryOf(session)];
    const outcomes = await Promise.all([store.mail.deliver(twice), store.mail.deliver(twice)]);
    expect(outcomes.flat().map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored', 'full']);
  });

  it('fills the last slots of a session from many concurrent deliveries, with an outcome for each', async () => {
    const store = await openForTest(open, { quota: { messages: 3, bytes: 1000 } });
    const [narrow, roomy, gone] = [await createLive(store), await createLive(store), await createLive(store)];
    await store.mail.endSession(gone.key);
    const targets = [narrow, roomy, narrow, gone, narrow, narrow, gone, narrow];
    const outcomes = await Promise.all(
      targets.map(async (session) => (await store.mail.deliver([deliveryOf(session)]))[0]?.outcome),
    );
    const ofSession = (session: Session) => outcomes.filter((_, at) => targets[at] === session).sort();
    expect(ofSession(narrow)).toEqual(['full', 'full', 'stored', 'stored', 'stored']);
    expect(ofSession(roomy)).toEqual(['stored']);
    expect(ofSession(gone)).toEqual(['ended', 'ended']);
    expect(await listIds(store, narrow)).toEqual([1, 2, 3]);
    expect(await listIds(store, roomy)).toEqual([1]);
  });

  it('leaves no trace of a message that found the session full', async () => {
    const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
    const session = await createLive(store);
    await deliverOne(store, session);
    const before = await store.mail.findSessionByKey(session.key);
    await store.mail.deliver([deliveryOf(session)]);
    expect(await store.mail.findSessionByKey(session.key)).toEqual(before);
    expect(await listIds(store, session)).toEqual([1]);
  });

  it('finds a full session by its address like any other', async () => {
    const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
    const session = await createLive(store);
    await deliverOne(store, session);
    expect(await store.mail.findLiveSession(session.address)).toMatchObject({
      key: session.key,
      messageCount: 1,
    });
  });
}

const stored = (id: number): object => ({ outcome: 'stored', id });

const dropping = { dropsOldest: true };

async function listDropped({ mail }: OpenedStore, { key }: Session): Promise<(number | null)[]> {
  const { events } = await mail.listEvents(key, 0, 1000);
  return events.filter(({ kind }) => kind === 'message.dropped').map(({ messageId }) => messageId);
}

function droppingContract(open: OpenStore): void {
  it('drops the oldest message for a new one if the session says so, and logs it', async () => {
    const store = await openForTest(open, { quota: { messages: 2, bytes: Infinity } });
    const session = await createLive(store, dropping);
    expect(session.dropsOldest).toBe(true);
    expect(await store.mail.findLiveSession(session.address)).toMatchObject({ dropsOldest: true });
    await deliverOne(store, session, 'one');
    await deliverOne(store, session, 'two');
    const raw = 'three';
    expect(await store.mail.deliver([deliveryOf(session, raw)])).toMatchObject([stored(4)]);
    expect(await listIds(store, session)).toEqual([2, 4]);
    expect(await store.mail.findMessage(session.key, 1)).toBeUndefined();
    const { events } = await store.mail.listEvents(session.key, 0, 10);
    expect(events.map(({ seq, kind, messageId }) => [seq, kind, messageId])).toEqual([
      [2, 'message.received', 2],
      [3, 'message.dropped', 1],
      [4, 'message.received', 4],
    ]);
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({
      state: 'live',
      session: { seq: 4, version: 4, messageCount: 2, messageBytes: 8, dropsOldest: true },
    });
  });

  it('drops as many as necessary for the bytes of one, and none for one that never fits', async () => {
    const store = await openForTest(open, { quota: { messages: Infinity, bytes: 100 } });
    const session = await createLive(store, dropping);
    for (const size of [40, 30, 20, 10]) await deliverOne(store, session, 'x'.repeat(size));
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(101))])).toEqual(full);
    expect(await listIds(store, session)).toEqual([1, 2, 3, 4]);
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(41))])).toMatchObject([stored(7)]);
    expect(await listDropped(store, session)).toEqual([1, 2]);
    expect(await listIds(store, session)).toEqual([3, 4, 7]);
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(100))])).toMatchObject([stored(11)]);
    expect(await listIds(store, session)).toEqual([11]);
  });

  it('drops within one delivery and one group, including what arrived in it, beside sessions that do not', async () => {
    const store = await openForTest(open, { quota: { messages: 2, bytes: Infinity } });
    const [session, other] = [await createLive(store, dropping), await createLive(store)];
    const group = Array.from({ length: 5 }, () => deliveryOf(session));
    const outcomes = await Promise.all([
      store.mail.deliver([...group, deliveryOf(other)]),
      ...group.map((delivery) => store.mail.deliver([delivery])),
      store.mail.deliver([deliveryOf(other), deliveryOf(other)]),
    ]);
    const kinds = outcomes.flat().map(({ outcome }) => outcome);
    expect(kinds.filter((outcome) => outcome === 'stored')).toHaveLength(12);
    expect(kinds.filter((outcome) => outcome === 'full')).toHaveLength(1);
    const dropped = await listDropped(store, session);
    expect(dropped).toHaveLength(8);
    expect(dropped).toEqual([...dropped].sort((a, b) => Number(a) - Number(b)));
    const left = await listIds(store, session);
    expect(left).toHaveLength(2);
    expect(dropped.some((id) => left.includes(Number(id)))).toBe(false);
    expect(await listIds(store, other)).toHaveLength(2);
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ session: { messageCount: 2 } });
  });

  it('drops messages for a large one, and frees the space of large ones', async () => {
    const large = Array.from({ length: 12 }, () => Buffer.alloc(256 * 1024, 'x'));
    const store = await openForTest(open, { quota: { messages: 10, bytes: 4 * 1024 * 1024 } });
    const session = await createLive(store, dropping);
    await deliverOne(store, session, 'small');
    await deliverOne(store, session, large);
    const before = await store.countRows();
    const id = await deliverOne(store, session, large);
    expect(await listDropped(store, session)).toEqual([1, 2]);
    expect(await listIds(store, session)).toEqual([id]);
    await sweep(store);
    expect((await readAll(store, session, id)).length).toBe(12 * 256 * 1024);
    expect((await store.countRows()).content - before.content).toBeLessThan(large.length / 2);
  });

  it('treats an ended session like any other', async () => {
    const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
    const session = await createLive(store, dropping);
    await deliverOne(store, session);
    await store.mail.endSession(session.key);
    expect(await store.mail.deliver([deliveryOf(session)])).toEqual([{ outcome: 'ended' }]);
  });
}
