// Contract: the ordered log of a session. Part of mail-store.ts.

import { expect, it } from 'vitest';

import { eventLogMaxEntries } from '../../src/domain/event.ts';
import {
  createLive,
  deliverOne,
  deliveryOf,
  hourMs,
  newSession,
  openForTest,
  type OpenStore,
} from './store-fixture.ts';

export function eventContract(open: OpenStore): void {
  logContract(open);
  resetContract(open);
}

function logContract(open: OpenStore): void {
  it('logs in order, messages and events sharing one sequence', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const at = (step: number): number => session.createdAt + step * 1000;
    const first = await deliverOne(store, session);
    store.clock.advance(1000);
    await store.mail.extendSession(session.key, hourMs);
    store.clock.advance(1000);
    const second = await deliverOne(store, session);
    store.clock.advance(1000);
    await store.mail.deleteMessage(session.key, first);
    store.clock.advance(1000);
    await store.mail.endSession(session.key);
    expect([first, second]).toEqual([1, 3]);
    expect(await store.mail.listEvents(session.key, 0, 100)).toEqual({
      events: [
        { seq: 2, kind: 'session.extended', at: at(1), messageId: null },
        { seq: 3, kind: 'message.received', at: at(2), messageId: 3 },
        { seq: 4, kind: 'message.deleted', at: at(3), messageId: 1 },
        { seq: 5, kind: 'session.expired', at: at(4), messageId: null },
      ],
      reset: false,
    });
  });

  it('lists after a position and at most the limit', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    for (let i = 0; i < 4; i++) await deliverOne(store, session);
    await store.mail.deleteMessage(session.key, 2);
    const seqs = async (after: number, limit: number): Promise<number[]> =>
      (await store.mail.listEvents(session.key, after, limit)).events.map((event) => event.seq);
    expect(await seqs(0, 2)).toEqual([1, 3]);
    expect(await seqs(3, 1)).toEqual([4]);
    expect(await seqs(3, 10)).toEqual([4, 5]);
    expect(await seqs(5, 10)).toEqual([]);
    expect(await seqs(5000, 10)).toEqual([]);
  });

  it.each(['a sweep', 'the next holder of the address'])(
    'logs the expiry at its instant, found by %s',
    async (how) => {
      const store = await openForTest(open);
      const session = await createLive(store);
      await deliverOne(store, session);
      store.clock.advance(2 * hourMs);
      if (how === 'a sweep') await store.mail.endDueSessions(10);
      else await createLive(store, { address: session.address });
      expect((await store.mail.listEvents(session.key, 1, 10)).events).toEqual([
        { seq: 2, kind: 'session.expired', at: session.expiresAt, messageId: null },
      ]);
    },
  );

  it('logs nothing for an extension that changes nothing', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    await store.mail.extendSession(session.key, hourMs);
    expect(await store.mail.listEvents(session.key, 0, 10)).toEqual({ events: [], reset: false });
  });

  it('has no log for an unknown session', async () => {
    const store = await openForTest(open);
    expect(await store.mail.listEvents(newSession().key, 0, 10)).toEqual({ events: [], reset: false });
  });

  it('never reports the end of a log that continues, or whose session is over', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const isAtEnd = (seq: number): boolean => store.mail.isAtEnd(session.key, seq);
    await deliverOne(store, session);
    expect([isAtEnd(0), isAtEnd(2), isAtEnd(NaN)]).toEqual([false, false, false]);
    await store.mail.deleteMessage(session.key, 1);
    expect(isAtEnd(1)).toBe(false);
    store.clock.advance(hourMs);
    expect(isAtEnd(2)).toBe(false);
    await store.mail.endDueSessions(10);
    expect([isAtEnd(2), isAtEnd(3)]).toEqual([false, false]);
    expect(store.mail.isAtEnd(newSession().key, 0)).toBe(false);
  });

  it('returns the newest number with the session', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    await deliverOne(store, session);
    await store.mail.deleteMessage(session.key, 1);
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ session: { seq: 2 } });
  });
}

function resetContract(open: OpenStore): void {
  it('resets a reader that is behind the oldest entry', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    await Promise.all(
      Array.from({ length: eventLogMaxEntries }, () => store.mail.deliver([deliveryOf(session)])),
    );
    expect(await store.mail.listEvents(session.key, 0, 1)).toMatchObject({
      events: [{ seq: 1 }],
      reset: false,
    });
    await deliverOne(store, session);
    const behind = await store.mail.listEvents(session.key, 0, 10_000);
    expect(behind.reset).toBe(true);
    expect(behind.events).toHaveLength(eventLogMaxEntries);
    const inTime = await store.mail.listEvents(session.key, 1, 10_000);
    expect(inTime.reset).toBe(false);
    expect(inTime.events.map((event) => event.seq)).toEqual(
      Array.from({ length: eventLogMaxEntries }, (_, at) => at + 2),
    );
  });
}
