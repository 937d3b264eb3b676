// Contract: which effects a jumping clock may have. Part of mail-store.ts.

import { expect, it } from 'vitest';

import {
  createLive,
  dayMs,
  deliverOne,
  deliveryOf,
  hourMs,
  listIds,
  newSession,
  openForTest,
  type OpenedStore,
  type OpenStore,
  stateOf,
  unlessEnded,
} from './store-fixture.ts';
import type { Session } from '../../src/domain/session.ts';

type Look = (store: OpenedStore, session: Session) => Promise<unknown>;

/** All the ways a caller can observe that a session has ended. */
const looks: readonly (readonly [string, Look])[] = [
  ['its token', (store, session) => store.mail.findSessionByKey(session.key)],
  ['its address', (store, session) => store.mail.findLiveSession(session.address)],
  ['a delivery', (store, session) => store.mail.deliver([deliveryOf(session)])],
  ['an extension', (store, session) => store.mail.extendSession(session.key, hourMs)],
  [
    'another address',
    (store, session) =>
      store.mail.renameSession(session.key, {
        address: 'other@mayfly.test',
        addressKey: 'other@mayfly.test',
        quarantineMs: 0,
      }),
  ],
  ['a deletion', (store, session) => unlessEnded(store.mail.deleteMessage(session.key, 1), false)],
  ['ending it', (store, session) => store.mail.endSession(session.key)],
  ['the sweep', (store) => store.mail.endDueSessions(10)],
];

export function clockContract(open: OpenStore): void {
  backwardsContract(open);
  forwardContract(open);
}

function backwardsContract(open: OpenStore): void {
  it.each(looks)('never brings back a session once %s has reported its end', async (_, look) => {
    const store = await openForTest(open);
    const session = await createLive(store);
    await deliverOne(store, session);
    store.clock.advance(hourMs);
    await look(store, session);
    store.clock.advance(-hourMs);
    expect(await stateOf(store, session)).toBe('ended');
    expect(await store.mail.findLiveSession(session.address)).toBeUndefined();
    expect(await store.mail.deliver([deliveryOf(session)])).toEqual([{ outcome: 'ended' }]);
    store.clock.advance(-dayMs);
    await store.reopen();
    expect(await stateOf(store, session)).toBe('ended');
    expect(await store.countRows()).toMatchObject({ keys: 0 });
  });

  it('keeps ids unique and increasing', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const ids = [await deliverOne(store, session)];
    for (const jump of [-dayMs, 10, -400 * dayMs]) {
      store.clock.advance(jump);
      ids.push(await deliverOne(store, session));
    }
    expect(ids).toEqual([1, 2, 3, 4]);
    expect(await listIds(store, session)).toEqual(ids);
    const { events } = await store.mail.listEvents(session.key, 0, 10);
    expect(events.map((event) => event.seq)).toEqual(ids);
  });

  it('keeps an address in quarantine', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { quarantineMs: hourMs });
    await store.mail.endSession(session.key);
    store.clock.advance(-dayMs);
    expect(await store.mail.createSession(newSession({ address: session.address }))).toBe('taken');
  });
}

function forwardContract(open: OpenStore): void {
  it.each([hourMs, dayMs, 400 * dayMs, Date.UTC(2038, 0, 20) - Date.UTC(2026, 0, 1)])(
    'ends only what is due when the clock jumps %d ms ahead',
    async (jumpMs) => {
      const store = await openForTest(open);
      const due = await createLive(store);
      const own = await createLive(store, { lifetimeMs: jumpMs + 1, totalLifetimeMs: jumpMs + 1 });
      await deliverOne(store, own);
      store.clock.advance(jumpMs);
      expect(await store.mail.endDueSessions(10)).toBe(1);
      while (await store.mail.reclaim(5));
      expect(await stateOf(store, due)).not.toBe('live');
      expect(await stateOf(store, own)).toBe('live');
      expect(await listIds(store, own)).toEqual([1]);
      expect(await deliverOne(store, own)).toBe(2);
    },
  );

  it('lets a session live on if its end was never observed while the clock was ahead', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    store.clock.advance(dayMs);
    store.clock.advance(-dayMs);
    expect(await stateOf(store, session)).toBe('live');
  });
}
