// Contract: a session holds so many messages and bytes and no more. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import { createLive, deliverOne, deliveryOf, listIds, openForTest, type OpenStore } from './store-fixture.ts';

const full = [{ outcome: 'full' }];

export function quotaContract(open: OpenStore): void {
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

  it('is full when the bytes of one more would not fit, to the byte', async () => {
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

  it('fills the last places of a session from many that come at once, and tells each what became of it', async () => {
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

  it('finds a full session by its address as any other', async () => {
    const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
    const session = await createLive(store);
    await deliverOne(store, session);
    expect(await store.mail.findLiveSession(session.address)).toMatchObject({
      key: session.key,
      messageCount: 1,
    });
  });
}
