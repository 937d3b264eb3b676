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

  it('takes a message of any size while it is below its quota, to the byte, and is full from then on', async () => {
    const store = await openForTest(open, { quota: { messages: Infinity, bytes: 100 } });
    const session = await createLive(store);
    const id = await deliverOne(store, session, 'x'.repeat(60));
    await deliverOne(store, session, 'x'.repeat(39));
    await deliverOne(store, session, 'x'.repeat(150));
    expect(await store.mail.deliver([deliveryOf(session, 'x')])).toEqual(full);
    await store.mail.deleteMessage(session.key, id);
    expect(await store.mail.deliver([deliveryOf(session, 'x')])).toEqual(full);
    await store.mail.deleteMessage(session.key, 3);
    await deliverOne(store, session, 'x'.repeat(60));
    await deliverOne(store, session, 'x');
    expect(await store.mail.deliver([deliveryOf(session, 'x')])).toEqual(full);
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({
      session: { messageCount: 3, messageBytes: 100 },
    });
  });

  it.each([0, 256, 5 * 256])(
    'takes one large message of %d KiB past its quota, and no second',
    async (kilobytes) => {
      const store = await openForTest(open, { quota: { messages: Infinity, bytes: 100 } });
      const session = await createLive(store);
      await deliverOne(store, session, 'x'.repeat(99));
      const raw = ['yy', ...Array.from({ length: kilobytes / 256 }, () => Buffer.alloc(256 * 1024, 'x'))].map(
        (chunk) => Buffer.from(chunk),
      );
      const id = await deliverOne(store, session, raw);
      expect((await readAll(store, session, id)).length).toBe(2 + kilobytes * 1024);
      expect(await store.mail.deliver([deliveryOf(session, raw)])).toEqual(full);
      expect(await listIds(store, session)).toEqual([1, id]);
    },
  );

  it.each([0, 256, 5 * 256])(
    'stores a message of %d KiB for all of one call or for none',
    async (kilobytes) => {
      const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
      const [one, narrow, gone, other] = [
        await createLive(store),
        await createLive(store),
        await createLive(store),
        await createLive(store),
      ];
      await deliverOne(store, narrow);
      await store.mail.endSession(gone.key);
      const raw = [
        Buffer.from('m'),
        ...Array.from({ length: kilobytes / 256 }, () => Buffer.alloc(256 * 1024)),
      ];
      const deliver = async (...sessions: Session[]) =>
        (await store.mail.deliver(sessions.map((session) => deliveryOf(session, raw)))).map(
          ({ outcome }) => outcome,
        );
      const lookUp = () =>
        Promise.all([one, narrow, other].map(({ key }) => store.mail.findSessionByKey(key)));
      const before = await lookUp();
      expect(sortOutcomes(await deliver(one, narrow, gone, other))).toMatch(
        /^full,(?:ended,)?(?:withheld,?)+$/,
      );
      expect(await lookUp()).toEqual(before);
      expect([await listIds(store, one), await listIds(store, other)]).toEqual([[], []]);
      expect(await deliver(one, gone, other)).toEqual(['stored', 'ended', 'stored']);
      await sweep(store);
      expect((await readAll(store, other, 1)).length).toBe(1 + kilobytes * 1024);
      expect(await listIds(store, narrow)).toEqual([1]);
    },
  );

  it('stores the messages of another call in the group of a withheld one', async () => {
    const store = await openForTest(open, { quota: { messages: 3, bytes: Infinity } });
    const narrow = await createLive(store);
    for (let count = 0; count < 3; count++) await deliverOne(store, narrow);
    const others = await Promise.all(Array.from({ length: 6 }, () => createLive(store)));
    const outcomes = await Promise.all([
      ...others.map((session) => store.mail.deliver([deliveryOf(session), deliveryOf(narrow)])),
      ...others.map((session) => store.mail.deliver([deliveryOf(session)])),
      store.mail.deliver(others.map((session) => deliveryOf(session))),
    ]);
    const kinds = outcomes.map((call) => call.map(({ outcome }) => outcome).join());
    const mixed = others.map(() => 'withheld,full');
    expect(kinds).toEqual([...mixed, ...others.map(() => 'stored'), others.map(() => 'stored').join()]);
    for (const session of others) expect(await listIds(store, session)).toEqual([1, 2]);
  });

  it('says duplicate of what it has already, though another of the call is full', async () => {
    const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
    const [one, narrow] = [await createLive(store), await createLive(store)];
    const origin = Buffer.alloc(16, 'o');
    await store.mail.deliver([{ ...deliveryOf(one), origin }]);
    await deliverOne(store, narrow);
    const call = [one, narrow].map((session) => ({ ...deliveryOf(session), origin }));
    expect(await store.mail.deliver(call)).toEqual([{ outcome: 'duplicate' }, { outcome: 'full' }]);
  });

  it('counts within one delivery and within one group', async () => {
    const store = await openForTest(open, { quota: { messages: 3, bytes: Infinity } });
    const session = await createLive(store);
    const twice = [deliveryOf(session), deliveryOf(session)];
    const outcomes = await Promise.all([store.mail.deliver(twice), store.mail.deliver(twice)]);
    const kinds = outcomes.map((call) => call.map(({ outcome }) => outcome).join());
    expect(kinds.sort()).toEqual(['stored,stored', 'withheld,full']);
    expect(await listIds(store, session)).toEqual([1, 2]);
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

function sortOutcomes(outcomes: readonly string[]): string {
  const order = ['full', 'ended', 'withheld'];
  return [...outcomes].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join();
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

  it('drops as many as necessary for the bytes of one, and none below its quota for one that never fits', async () => {
    const store = await openForTest(open, { quota: { messages: Infinity, bytes: 100 } });
    const session = await createLive(store, dropping);
    for (const size of [40, 30, 20, 10]) await deliverOne(store, session, 'x'.repeat(size));
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(41))])).toMatchObject([stored(7)]);
    expect(await listDropped(store, session)).toEqual([1, 2]);
    expect(await listIds(store, session)).toEqual([3, 4, 7]);
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(100))])).toMatchObject([stored(11)]);
    expect(await listIds(store, session)).toEqual([11]);
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(101))])).toMatchObject([stored(13)]);
    expect(await listIds(store, session)).toEqual([13]);
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(60))])).toMatchObject([stored(15)]);
    expect(await store.mail.deliver([deliveryOf(session, 'x'.repeat(300))])).toMatchObject([stored(16)]);
    expect(await listIds(store, session)).toEqual([15, 16]);
  });

  it('drops within one delivery and one group, including what arrived in it, beside sessions that do not', async () => {
    const store = await openForTest(open, { quota: { messages: 2, bytes: Infinity } });
    const [session, other] = [await createLive(store, dropping), await createLive(store)];
    const group = Array.from({ length: 5 }, () => deliveryOf(session));
    const outcomes = await Promise.all([
      store.mail.deliver([...group, deliveryOf(other)]),
      ...group.map((delivery) => store.mail.deliver([delivery])),
      store.mail.deliver([deliveryOf(other)]),
    ]);
    const kinds = outcomes.flat().map(({ outcome }) => outcome);
    expect(kinds).toEqual(Array.from({ length: 12 }, () => 'stored'));
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
