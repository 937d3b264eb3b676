// Contract: an ended session's key leaves every file at once, its rows and space soon after. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import { sealBytes } from '../../src/secrets/seal.mjs';
import type { Delivery } from '../../src/store/mail-store.ts';
import { createRandom } from './create-random.ts';
import {
  createLive,
  dayMs,
  deliverOne,
  deliveryOf,
  findBytes,
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
  keyContract(open);
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
  const delivery = deliveryOf(session, [sealBytes(session.dataKey, 'raw', plain)]);
  return { ...delivery, meta: sealBytes(session.dataKey, 'meta', marker) };
}

function markerContract(open: OpenStore): void {
  it('has no plaintext marker anywhere in its files, neither while it is stored nor once it is erased', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const countMarked = async (): Promise<number> =>
      (await store.dataFiles()).filter((file) => file.includes(marker)).length;
    for (let i = 0; i < 20; i++) await store.mail.deliver([sealedDeliveryOf(session, marker)]);
    await store.mail.keepGlance(session.key, 1, sealBytes(session.dataKey, 'glance', marker));
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

function keyContract(open: OpenStore): void {
  // Aims at copies a store makes while it moves rows: hence many sessions, in random order.
  it.each([1, 2])(
    'has no destroyed key in any file, whatever is created and ended in whatever order (%d)',
    async (seed) => {
      const store = await openForTest(open);
      const random = createRandom(seed);
      const live: Session[] = [];
      const ended: Session[] = [];
      const expectErased = async (): Promise<void> => {
        await store.mail.scrub();
        const bytes = Buffer.concat(await store.dataFiles());
        // Finding the live keys proves that the search works.
        expect(new Set(findBytes(bytes, keysOf([...ended, ...live])))).toEqual(new Set(keysOf(live)));
      };
      // Later rows lie behind this in a file, and move when its space is freed.
      const large = await createLive(store);
      await deliverOne(store, large, [Buffer.alloc(250_000), Buffer.alloc(250_000)]);
      for (let round = 0; round < 30; round++) {
        live.push(...(await Promise.all(Array.from({ length: 60 }, () => createLive(store)))));
        const ending = Array.from({ length: random(70) }, () => live.splice(random(live.length), 1)).flat();
        if (round === 17) ending.push(large);
        await Promise.all(
          ending.flatMap((session) => [store.mail.endSession(session.key), deliverTo(pick(live))]),
        );
        ended.push(...ending);
        if (round % 4 === 3) while (await store.mail.reclaim(5));
        if (round % 5 === 4) await expectErased();
      }
      ended.push(...live);
      await Promise.all(live.splice(0).map(({ key }) => store.mail.endSession(key)));
      await expectErased();

      function pick(sessions: readonly Session[]): Session | undefined {
        return sessions[random(sessions.length)];
      }

      async function deliverTo(session: Session | undefined): Promise<void> {
        if (session) await store.mail.deliver([sealedDeliveryOf(session, Buffer.alloc(random(6000)))]);
      }
    },
  );
}

function keysOf(sessions: readonly Session[]): Uint8Array[] {
  return sessions.map((session) => session.dataKey);
}
