// Contract: sessions are created, found, extended and ended. Part of mail-store.ts.

import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import {
  createLive,
  dayMs,
  deliverOne,
  hourMs,
  minuteMs,
  newSession,
  openForTest,
  type OpenStore,
  stateOf,
} from './store-fixture.ts';

export function sessionContract(open: OpenStore): void {
  findingContract(open);
  endingContract(open);
  extendingContract(open);
}

function findingContract(open: OpenStore): void {
  it('finds a created session by its token hash, its key and its address', async () => {
    const store = await openForTest(open);
    const given = newSession({ address: 'Quiet-Fox@mayfly.test' });
    const created = await store.mail.createSession(given);
    const now = store.clock.now();
    expect(created).toMatchObject({
      address: 'Quiet-Fox@mayfly.test',
      createdAt: now,
      expiresAt: now + hourMs,
      latestEndAt: now + dayMs,
      seq: 0,
      messageCount: 0,
      messageBytes: 0,
    });
    const lookup = { state: 'live', session: created, now };
    expect(await store.mail.findSession(given.tokenHash)).toEqual(lookup);
    expect(await store.mail.findSessionByKey(given.key)).toEqual(lookup);
    expect(await store.mail.findLiveSession('quiet-fox@mayfly.test')).toEqual(created);
    const { publicKey, salt } = created as Session;
    expect(Buffer.from(given.publicKey).equals(publicKey)).toBe(true);
    expect(Buffer.from(given.salt).equals(salt)).toBe(true);
  });

  it('finds no session by a token hash of which only the key matches', async () => {
    const store = await openForTest(open);
    const given = newSession();
    await store.mail.createSession(given);
    const other = Buffer.concat([given.key, randomBytes(16)]);
    expect(await store.mail.findSession(other)).toEqual({ state: 'unknown' });
  });

  it('finds neither a token nor an address that was never lent', async () => {
    const store = await openForTest(open);
    expect(await store.mail.findSession(randomBytes(32))).toEqual({ state: 'unknown' });
    expect(await store.mail.findSessionByKey(newSession().key)).toEqual({ state: 'unknown' });
    expect(await store.mail.findLiveSession('nobody@mayfly.test')).toBeUndefined();
  });

  it('finds sessions and messages after it was reopened', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    await deliverOne(store, session);
    const before = await store.mail.findSessionByKey(session.key);
    await store.reopen();
    expect(await store.mail.findSessionByKey(session.key)).toEqual(before);
    expect(await deliverOne(store, session)).toBe(2);
  });
}

function endingContract(open: OpenStore): void {
  it('lives to its last millisecond and ends by itself, without a sweep', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    store.clock.advance(hourMs - 1);
    expect(await stateOf(store, session)).toBe('live');
    store.clock.advance(1);
    expect(await store.mail.findLiveSession(session.address)).toBeUndefined();
    expect(await stateOf(store, session)).toBe('ended');
  });

  it('ends at once on request, and only once', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    expect(await store.mail.endSession(session.key)).toBe(true);
    expect(await stateOf(store, session)).toBe('ended');
    expect(await store.mail.findLiveSession(session.address)).toBeUndefined();
    expect(await store.mail.endSession(session.key)).toBe(false);
    expect(await store.mail.endSession(newSession().key)).toBe(false);
  });

  it('does not end again what has expired', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    store.clock.advance(hourMs);
    expect(await store.mail.endSession(session.key)).toBe(false);
  });

  it.each(['ended', 'run out', 'swept'])(
    'distinguishes an ended session (%s) from an unknown one for 24 h',
    async (how) => {
      const store = await openForTest(open);
      const session = await createLive(store);
      if (how === 'ended') await store.mail.endSession(session.key);
      else store.clock.advance(hourMs);
      if (how === 'swept') expect(await store.mail.endDueSessions(10)).toBe(1);
      store.clock.advance(dayMs - 1);
      expect(await stateOf(store, session)).toBe('ended');
      store.clock.advance(1);
      expect(await stateOf(store, session)).toBe('unknown');
    },
  );

  it('ends at most the given number of sessions at once', async () => {
    const store = await openForTest(open);
    await Promise.all(Array.from({ length: 5 }, () => createLive(store)));
    store.clock.advance(hourMs);
    expect(await store.mail.endDueSessions(3)).toBe(3);
    expect(await store.mail.endDueSessions(3)).toBe(2);
    expect(await store.mail.endDueSessions(3)).toBe(0);
  });
}

function extendingContract(open: OpenStore): void {
  it('extends to now plus the lifetime', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    store.clock.advance(30 * minuteMs);
    const extended = await store.mail.extendSession(session.key, hourMs);
    expect(extended?.expiresAt).toBe(store.clock.now() + hourMs);
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ session: extended });
    store.clock.advance(45 * minuteMs);
    expect(await stateOf(store, session)).toBe('live');
  });

  it('never ends a session earlier by extending it', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const extended = await store.mail.extendSession(session.key, minuteMs);
    expect(extended).toEqual(session);
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ session });
  });

  it('never extends past the total lifetime', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { totalLifetimeMs: 90 * minuteMs });
    store.clock.advance(50 * minuteMs);
    expect((await store.mail.extendSession(session.key, hourMs))?.expiresAt).toBe(session.latestEndAt);
    store.clock.advance(40 * minuteMs);
    expect(await store.mail.extendSession(session.key, hourMs)).toBeUndefined();
  });

  it('extends neither an ended session nor an unknown one', async () => {
    const store = await openForTest(open);
    const [ended, due] = [await createLive(store), await createLive(store)];
    await store.mail.endSession(ended.key);
    store.clock.advance(hourMs);
    for (const key of [ended.key, due.key, newSession().key]) {
      expect(await store.mail.extendSession(key, hourMs)).toBeUndefined();
    }
  });

  it('changes the version with each change to the list, and only then', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const versions: number[] = [];
    const note = async (): Promise<void> => {
      const found = await store.mail.findSessionByKey(session.key);
      versions.push(found.state === 'live' ? found.session.version : -1);
    };
    await note();
    const id = await deliverOne(store, session);
    await note();
    await store.mail.markRead(session.key, id);
    await note();
    store.clock.advance(1);
    await store.mail.extendSession(session.key, hourMs);
    await note();
    await store.mail.deleteMessage(session.key, id);
    await note();
    expect(new Set(versions).size).toBe(5);

    const before = versions.at(-1);
    await store.mail.markRead(session.key, id);
    await store.mail.deleteMessage(session.key, id);
    await store.mail.extendSession(session.key, minuteMs);
    await note();
    expect(versions.at(-1)).toBe(before);
  });
}
