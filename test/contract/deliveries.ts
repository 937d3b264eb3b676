// Contract: a delivery is stored for all of its recipients or for none, with an outcome for each. Part of
// mail-store.ts.

import { expect, it } from 'vitest';

import type { DeliveryOutcome } from '../../src/store/mail-store.ts';
import {
  createLive,
  dayMs,
  deliverOne,
  deliveryOf,
  hourMs,
  listIds,
  newSession,
  openForTest,
  type OpenStore,
  poisonedDeliveryOf,
  readAll,
  sweep,
} from './store-fixture.ts';

export function deliveryContract(open: OpenStore): void {
  outcomeContract(open);
  poisonContract(open);
  originContract(open);
}

function outcomeContract(open: OpenStore): void {
  it('stores one message for each of two recipients', async () => {
    const store = await openForTest(open);
    const [one, two] = [await createLive(store), await createLive(store)];
    await deliverOne(store, two);
    store.clock.advance(5000);
    const receivedAt = store.clock.now();
    const outcomes = await store.mail.deliver([deliveryOf(one, 'for one'), deliveryOf(two, 'for two')]);
    expect(outcomes).toEqual([
      { outcome: 'stored', id: 1, receivedAt },
      { outcome: 'stored', id: 2, receivedAt },
    ]);
    expect((await readAll(store, one, 1)).toString()).toBe('for one');
    expect((await readAll(store, two, 2)).toString()).toBe('for two');
    expect(await store.mail.findMessage(two.key, 2)).toEqual({
      id: 2,
      sizeBytes: 7,
      receivedAt,
      isRead: false,
      meta: Buffer.from('meta'),
      glance: null,
    });
  });

  it('stores for the others when one of three has ended, expired or is unknown, for none when it is full', async () => {
    const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
    const [first, ended, due, full, last] = [
      await createLive(store),
      await createLive(store),
      await createLive(store, { lifetimeMs: 1000 }),
      await createLive(store),
      await createLive(store),
    ];
    await store.mail.endSession(ended.key);
    await deliverOne(store, full);
    store.clock.advance(1000);
    const outcomeFor = async (session: typeof first): Promise<DeliveryOutcome['outcome'][]> => {
      const outcomes = await store.mail.deliver(
        [first, session, last].map((recipient) => deliveryOf(recipient)),
      );
      await store.mail.deleteMessage(first.key, (await listIds(store, first))[0] ?? 0);
      await store.mail.deleteMessage(last.key, (await listIds(store, last))[0] ?? 0);
      return outcomes.map(({ outcome }) => outcome);
    };
    expect(await outcomeFor(ended)).toEqual(['stored', 'ended', 'stored']);
    expect(await outcomeFor(due)).toEqual(['stored', 'ended', 'stored']);
    expect(await outcomeFor(full)).toEqual(['withheld', 'full', 'withheld']);
    expect(await outcomeFor({ ...first, key: newSession().key })).toEqual(['stored', 'ended', 'stored']);
    expect(await listIds(store, ended)).toEqual([]);
    expect(await listIds(store, full)).toEqual([1]);
  });

  it('returns ended when the session expires between RCPT and commit', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    store.clock.advance(hourMs - 1);
    const accepted = await store.mail.findLiveSession(session.address);
    expect(accepted).toMatchObject({ key: session.key });
    store.clock.advance(1);
    expect(await store.mail.deliver([deliveryOf(session)])).toEqual([{ outcome: 'ended' }]);
    expect(await listIds(store, session)).toEqual([]);
  });

  it('stores two messages for a session that is named twice', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    await store.mail.deliver([deliveryOf(session, 'a'), deliveryOf(session, 'b')]);
    expect(await listIds(store, session)).toEqual([1, 2]);
    expect((await readAll(store, session, 2)).toString()).toBe('b');
  });

  it('returns nothing for a delivery without recipients', async () => {
    const store = await openForTest(open);
    expect(await store.mail.deliver([])).toEqual([]);
  });

  it('stores a message of no bytes and reads it back', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const id = await deliverOne(store, session, []);
    expect(await store.mail.findMessage(session.key, id)).toMatchObject({ id, sizeBytes: 0 });
    expect(await readAll(store, session, id)).toHaveLength(0);
  });
}

function poisonContract(open: OpenStore): void {
  it('stores nothing for any recipient when the raw bytes of one fail', async () => {
    const store = await openForTest(open);
    const [one, two] = [await createLive(store), await createLive(store)];
    await expect(store.mail.deliver([deliveryOf(one), poisonedDeliveryOf(two)])).rejects.toThrow('poisoned');
    expect(await store.countRows()).toMatchObject({ content: 0 });
    expect(await store.mail.findSessionByKey(one.key)).toMatchObject({ session: { ...one } });
    expect(await store.mail.findSessionByKey(two.key)).toMatchObject({ session: { ...two } });
    expect(await deliverOne(store, two)).toBe(1);
  });

  it('lets a poisoned delivery fail alone among those that wait with it', async () => {
    const store = await openForTest(open);
    const sessions = await Promise.all(Array.from({ length: 9 }, () => createLive(store)));
    const chunks = ['a first chunk', ' and a second', ' and a third'].map((text) => Buffer.from(text));
    const settled = await Promise.allSettled(
      sessions.map((session, at) =>
        store.mail.deliver([at === 4 ? poisonedDeliveryOf(session) : deliveryOf(session, chunks)]),
      ),
    );
    const expected = sessions.map((_, at) => (at === 4 ? 'rejected' : 'fulfilled'));
    expect(settled.map(({ status }) => status)).toEqual(expected);
    for (const [at, session] of sessions.entries()) {
      expect(await listIds(store, session)).toEqual(at === 4 ? [] : [1]);
      if (at !== 4) expect(await readAll(store, session, 1)).toEqual(Buffer.concat(chunks));
    }
  });
}

/** Returns 16 bytes. */
function originOf(name: string): Uint8Array {
  return Buffer.alloc(16, name);
}

function originContract(open: OpenStore): void {
  it('stores a message of one origin once, however often and by whomever it is delivered', async () => {
    const store = await openForTest(open);
    const [one, two] = [await createLive(store), await createLive(store)];
    const from = (session: typeof one, name: string) => ({ ...deliveryOf(session), origin: originOf(name) });
    const kinds = async (...deliveries: Parameters<typeof store.mail.deliver>[0]): Promise<string[]> =>
      (await store.mail.deliver(deliveries)).map(({ outcome }) => outcome);
    expect(await kinds(from(one, 'a'), from(one, 'a'), from(one, 'b'))).toEqual([
      'stored',
      'duplicate',
      'stored',
    ]);
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => kinds(from(two, 'a'), from(two, 'c'))));
    expect(atOnce.flat().filter((kind) => kind === 'stored')).toHaveLength(2);
    await store.reopen();
    expect(await kinds(from(one, 'a'), from(two, 'b'), deliveryOf(one))).toEqual([
      'duplicate',
      'stored',
      'stored',
    ]);
    expect(await listIds(store, one)).toEqual([1, 2, 3]);
  });

  it('knows the origin of a deleted message until the session is reclaimed', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const delivery = { ...deliveryOf(session), origin: originOf('a') };
    await store.mail.deliver([delivery]);
    await store.mail.deleteMessage(session.key, 1);
    expect(await store.mail.deliver([delivery])).toEqual([{ outcome: 'duplicate' }]);
    expect(await listIds(store, session)).toEqual([]);
    await store.mail.endSession(session.key);
    expect(await store.mail.deliver([delivery])).toEqual([{ outcome: 'ended' }]);
    await sweep(store);
    expect(await store.countRows()).toMatchObject({ content: 0 });
  });

  it('returns ended, not duplicate, once the session has expired', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const delivery = { ...deliveryOf(session), origin: originOf('a') };
    await store.mail.deliver([delivery]);
    store.clock.advance(dayMs);
    expect(await store.mail.deliver([delivery])).toEqual([{ outcome: 'ended' }]);
  });

  it('remembers no origin of messages it did not store', async () => {
    const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
    const session = await createLive(store);
    const origin = originOf('a');
    await expect(store.mail.deliver([{ ...poisonedDeliveryOf(session), origin }])).rejects.toThrow(
      'poisoned',
    );
    await deliverOne(store, session);
    const delivery = { ...deliveryOf(session), origin };
    expect(await store.mail.deliver([delivery])).toEqual([{ outcome: 'full' }]);
    await store.mail.deleteMessage(session.key, 1);
    expect(await store.mail.deliver([delivery])).toMatchObject([{ outcome: 'stored' }]);
  });
}
