// Contract: concurrent calls leave the same order and totals as sequential ones. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import { createRandom } from './create-random.ts';
import {
  createLive,
  deliverOne,
  deliveryOf,
  listIds,
  openForTest,
  type OpenStore,
  readAll,
  stateOf,
  unlessEnded,
} from './store-fixture.ts';

export function concurrencyContract(open: OpenStore): void {
  it('numbers 200 concurrent deliveries to 10 sessions without a gap', async () => {
    const store = await openForTest(open);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => createLive(store)));
    const targets = Array.from({ length: 200 }, (_, at) => sessions[at % 10] as Session);
    const ids = await Promise.all(targets.map((session, at) => deliverOne(store, session, `raw ${at}`)));
    for (const [at, session] of sessions.entries()) {
      expect(await listIds(store, session)).toEqual(Array.from({ length: 20 }, (_, id) => id + 1));
      const own = ids.flatMap((id, index) => (index % 10 === at ? [{ id, index }] : []));
      for (const { id, index } of own) {
        expect((await readAll(store, session, id)).toString()).toBe(`raw ${index}`);
      }
    }
  });

  it('commits deliveries to the same recipients in opposite orders', async () => {
    const store = await openForTest(open);
    const sessions = await Promise.all(Array.from({ length: 6 }, () => createLive(store)));
    const forwards = sessions.map((session) => deliveryOf(session));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        store.mail.deliver(at % 2 === 0 ? forwards : forwards.toReversed()),
      ),
    );
    expect(outcomes.flat().every(({ outcome }) => outcome === 'stored')).toBe(true);
    for (const session of sessions) expect(await listIds(store, session)).toHaveLength(20);
  });

  it('keeps totals and lists consistent whatever is delivered, deleted and ended at once', async () => {
    const store = await openForTest(open, { quota: { messages: 20, bytes: 3000 } });
    const random = createRandom(7);
    const sessions = await Promise.all(Array.from({ length: 8 }, () => createLive(store)));
    const pick = (): Session => sessions[random(sessions.length)] as Session;
    for (let round = 0; round < 25; round++) {
      const work = Array.from({ length: 20 }, (): Promise<unknown> => {
        const what = random(100);
        if (what < 60) return store.mail.deliver([deliveryOf(pick(), 'x'.repeat(random(400)))]);
        if (what < 90) return unlessEnded(store.mail.deleteMessage(pick().key, 1 + random(30)), false);
        if (what < 97) return store.mail.extendSession(pick().key, random(10) * 3_600_000);
        return round > 20 ? store.mail.endSession(pick().key) : store.mail.markRead(pick().key, 1);
      });
      await Promise.all(work);
    }
    for (const session of sessions) {
      const found = await store.mail.findSessionByKey(session.key);
      if (found.state !== 'live') {
        expect(await stateOf(store, session)).toBe('ended');
        continue;
      }
      const messages = await store.mail.listMessages(session.key, { limit: 100, order: 'oldest-first' });
      expect(found.session.messageCount).toBe(messages.length);
      expect(found.session.messageBytes).toBe(messages.reduce((sum, message) => sum + message.sizeBytes, 0));
      expect(found.session.messageBytes).toBeLessThanOrEqual(2999 + 399);
      const { events } = await store.mail.listEvents(session.key, 0, 1000);
      expect(events.map((event) => event.seq)).toEqual(
        events.map((event) => event.seq).sort((a, b) => a - b),
      );
      expect(new Set(events.map((event) => event.seq)).size).toBe(events.length);
    }
  });
}
