// Contract: an ended session's rows and space go soon after its end. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import { sealer } from '#sealing/sealer';
import type { Delivery } from '../../src/store/mail-store.ts';
import {
  createLive,
  dayMs,
  deliverOne,
  deliveryOf,
  hourMs,
  listIds,
  openForTest,
  type OpenedStore,
  type OpenStore,
  readAll,
  sweep,
} from './store-fixture.ts';

const marker = Buffer.from('SECRET-MARKER-OF-THE-TEST');

export function erasingContract(open: OpenStore): void {
  rowContract(open);
  spaceContract(open);
  markerContract(open);
}

/**
 * Creates a session with everything a session can have: short and long messages, notes, a deleted message, an
 * extension.
 */
async function createFilled(store: OpenedStore): Promise<Session> {
  const session = await createLive(store, { quarantineMs: hourMs });
  const long = Array.from({ length: 5 }, () => Buffer.alloc(100_000));
  for (const raw of ['short', long, long]) await deliverOne(store, session, raw);
  await store.mail.markRead(session.key, 1);
  await store.passwords.replacePassword(session.key, Buffer.from('password'));
  for (const texts of [store.shares, store.pushes, store.sentKeys]) {
    await texts.replace(session.key, { before: null, after: 'text' });
  }
  await store.mail.keepGlance(session.key, 2, Buffer.from('glance'));
  await store.mail.deleteMessage(session.key, 3);
  store.clock.advance(1);
  await store.mail.extendSession(session.key, hourMs);
  return session;
}

function rowContract(open: OpenStore): void {
  it('keeps only the fact that sessions ended, and in the end not even that', async () => {
    const store = await openForTest(open);
    const ended = await createFilled(store);
    await createFilled(store);
    await store.mail.endSession(ended.key);
    expect(await store.countRows()).toMatchObject({ keys: 1 });
    store.clock.advance(hourMs + 1);
    await sweep(store);
    expect(await store.countRows()).toMatchObject({ content: 0, keys: 0 });
    expect(await listIds(store, ended)).toEqual([]);
    // The address stays known for a day after its quarantine.
    store.clock.advance(hourMs + dayMs);
    await sweep(store);
    expect(await store.countRows()).toEqual({ content: 0, sessions: 0, keys: 0 });
  });

  it('leaves all data of live sessions', async () => {
    const store = await openForTest(open);
    const [first, ended, last] = [
      await createFilled(store),
      await createFilled(store),
      await createFilled(store),
    ];
    await store.mail.endSession(ended.key);
    await sweep(store);
    for (const session of [first, last]) {
      const messages = await store.mail.listMessages(session.key, { limit: 9, order: 'oldest-first' });
      expect(messages).toMatchObject([
        { id: 1, isRead: true },
        { id: 2, glance: Buffer.from('glance') },
      ]);
      expect(await readAll(store, session, 2)).toHaveLength(500_000);
      expect((await store.mail.listEvents(session.key, 0, 9)).events).toHaveLength(5);
    }
  });

  it('continues with the rest when it is reopened', async () => {
    const store = await openForTest(open);
    const session = await createFilled(store);
    await store.mail.endSession(session.key);
    await store.reopen();
    await sweep(store);
    expect(await store.countRows()).toMatchObject({ content: 0, keys: 0 });
  });

  it('has nothing to do when nothing has ended', async () => {
    const store = await openForTest(open);
    await createFilled(store);
    while (await store.mail.reclaim(5));
    expect(await store.mail.endDueSessions(10)).toBe(0);
    expect(await store.mail.reclaim(5)).toBe(false);
  });
}

function spaceContract(open: OpenStore): void {
  it('returns the space', async () => {
    const store = await openForTest(open);
    const chunks = Array.from({ length: 16 }, () => Buffer.alloc(256 * 1024));
    const session = await createLive(store);
    for (let i = 0; i < 5; i++) await deliverOne(store, session, chunks);
    await store.reopen();
    const before = await store.sizeBytes();
    await store.mail.endSession(session.key);
    await sweep(store);
    // Closing flushes the logs.
    await store.reopen();
    const after = await store.sizeBytes();
    expect(before).toBeGreaterThan(20 * 2 ** 20);
    expect(after).toBeLessThan(2 ** 20);
  });
}

function sealedDeliveryOf(session: Session, plain: Uint8Array): Delivery {
  const delivery = deliveryOf(session, [sealer.seal(session, 'raw', plain)]);
  return { ...delivery, meta: sealer.seal(session, 'meta', marker) };
}

function markerContract(open: OpenStore): void {
  it('has no plaintext marker anywhere in its files, neither while it is stored nor once it is erased', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const countMarked = async (): Promise<number> =>
      (await store.dataFiles()).filter((file) => file.includes(marker)).length;
    for (let i = 0; i < 20; i++) await store.mail.deliver([sealedDeliveryOf(session, marker)]);
    await store.mail.keepGlance(session.key, 1, sealer.seal(session, 'glance', marker));
    expect(await countMarked()).toBe(0);
    await store.mail.endSession(session.key);
    expect(await countMarked()).toBe(0);
    await sweep(store);
    expect(await countMarked()).toBe(0);
    // Proves that the search works: an address is not sealed.
    await createLive(store, { address: `${marker.toString()}@mayfly.test` });
    expect(await countMarked()).toBeGreaterThan(0);
  });
}
