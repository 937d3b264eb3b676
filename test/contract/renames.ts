// Contract: a session moves to another address under the same token. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { RenameOutcome } from '../../src/store/mail-store.ts';
import { accountSettings } from './gmail.ts';
import {
  createLive,
  dayMs,
  deliverOne,
  hourMs,
  listIds,
  minuteMs,
  newSession,
  type OpenedStore,
  openForTest,
  type OpenStore,
  readAll,
  stateOf,
  sweep,
} from './store-fixture.ts';
import type { Session } from '../../src/domain/session.ts';

const before = 'quiet-fox@mayfly.test';
const after = 'brisk-owl@mayfly.test';

/** Renames to an address without quarantine. */
function rename(
  store: OpenedStore,
  { key }: Session,
  { address = after, quarantineMs = 0 } = {},
): Promise<RenameOutcome> {
  return store.mail.renameSession(key, { address, addressKey: address.toLowerCase(), quarantineMs });
}

export function renameContract(open: OpenStore): void {
  takingContract(open);
  refusingContract(open);
  restingContract(open);
}

function takingContract(open: OpenStore): void {
  it('changes the address under the same token and keeps the messages, the end and the links', async () => {
    const store = await openForTest(open);
    const given = newSession({ address: before, quarantineMs: hourMs });
    const session = (await store.mail.createSession(given)) as Session;
    await deliverOne(store, session, 'before');
    const live = (await store.mail.findLiveSession(before)) as Session;
    const renamed = await rename(store, session, { address: 'Brisk-Owl@mayfly.test' });
    expect(renamed).toEqual({
      ...live,
      address: 'Brisk-Owl@mayfly.test',
      seq: live.seq + 1,
      version: live.version + 1,
    });
    expect(await store.mail.findLiveSession(after)).toEqual(renamed);
    expect(await store.mail.findLiveSession(before)).toBeUndefined();
    const lookup = { state: 'live', session: renamed, now: store.clock.now() };
    expect(await store.mail.findSession(given.tokenHash)).toEqual(lookup);
    expect(await store.mail.findSessionByKey(session.key)).toEqual(lookup);
    expect((await readAll(store, session, 1)).toString()).toBe('before');
    expect(await deliverOne(store, session)).toBe(3);
    expect(await listIds(store, session)).toEqual([1, 3]);
  });

  it('is logged and notified', async () => {
    const news: string[] = [];
    const store = await openForTest(open, {
      onNews: (key) => news.push(Buffer.from(key).toString('hex')),
    });
    const session = await createLive(store, { address: before });
    store.clock.advance(minuteMs);
    await rename(store, session);
    expect((await store.mail.listEvents(session.key, 0, 10)).events).toEqual([
      { seq: 1, kind: 'session.renamed', at: session.createdAt + minuteMs, messageId: null },
    ]);
    expect(news).toContain(Buffer.from(session.key).toString('hex'));
  });

  it('survives a reopening of the store', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address: before, quarantineMs: hourMs });
    const renamed = await rename(store, session);
    await store.reopen();
    expect(await store.mail.findLiveSession(after)).toEqual(renamed);
    expect(await store.mail.findLiveSession(before)).toBeUndefined();
    expect(await store.mail.createSession(newSession({ address: before }))).toBe('taken');
  });

  it('changes and logs nothing if the session already has the address', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address: before });
    expect(await rename(store, session, { address: before, quarantineMs: dayMs })).toEqual(session);
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ session });
    expect(await store.mail.listEvents(session.key, 0, 10)).toEqual({ events: [], reset: false });
  });

  it('gives one address to exactly one of ten concurrent sessions', async () => {
    const store = await openForTest(open);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => createLive(store)));
    const outcomes = await Promise.all(sessions.map((session) => rename(store, session)));
    const renamed = outcomes.filter((outcome) => outcome !== 'taken');
    expect(renamed).toHaveLength(1);
    expect(await store.mail.findLiveSession(after)).toEqual(renamed[0]);
  });

  it('lets two sessions that want each other’s addresses keep their own', async () => {
    const store = await openForTest(open);
    const one = await createLive(store, { address: before });
    const two = await createLive(store, { address: after });
    expect(await Promise.all([rename(store, one), rename(store, two, { address: before })])).toEqual([
      'taken',
      'taken',
    ]);
    expect(await store.mail.findLiveSession(before)).toEqual(one);
    expect(await store.mail.findLiveSession(after)).toEqual(two);
  });
}

function refusingContract(open: OpenStore): void {
  it('changes nothing if the address is held or in quarantine', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address: before, lifetimeMs: 2 * hourMs });
    const holder = await createLive(store, { address: after, quarantineMs: hourMs });
    expect(await rename(store, session)).toBe('taken');
    await store.mail.endSession(holder.key);
    expect(await rename(store, session)).toBe('taken');
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ session });
    expect(await store.mail.findLiveSession(before)).toEqual(session);
    expect(await store.mail.listEvents(session.key, 0, 10)).toEqual({ events: [], reset: false });
    store.clock.advance(hourMs);
    expect(await rename(store, session)).toMatchObject({ address: after });
  });

  it('takes the address of an expired session that was not swept', async () => {
    const store = await openForTest(open);
    const holder = await createLive(store, { address: after });
    const session = await createLive(store, { address: before, lifetimeMs: 2 * hourMs });
    store.clock.advance(hourMs);
    expect(await rename(store, session)).toMatchObject({ key: session.key, address: after });
    expect(await stateOf(store, holder)).toBe('ended');
  });

  it('refuses a session that has ended or never existed, and the address stays free', async () => {
    const store = await openForTest(open);
    const [ended, due] = [await createLive(store), await createLive(store)];
    await store.mail.endSession(ended.key);
    store.clock.advance(hourMs);
    expect(await rename(store, ended)).toBe('ended');
    expect(await rename(store, due)).toBe('ended');
    expect(await rename(store, { ...due, key: newSession().key })).toBe('ended');
    await createLive(store, { address: after });
  });

  it('leaves the aliases of Gmail accounts unchanged', async () => {
    const store = await openForTest(open);
    const account = await store.gmail.addAccount(accountSettings());
    const session = await createLive(store, { address: 'quiet.f.ox@gmail.com', accountId: account.id });
    expect(await rename(store, session)).toBe('alias');
    expect(await store.mail.findLiveSession('quiet.f.ox@gmail.com')).toEqual(session);
    await createLive(store, { address: after });
  });
}

function restingContract(open: OpenStore): void {
  it('quarantines its old address from that moment on', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address: before, quarantineMs: hourMs, lifetimeMs: dayMs });
    store.clock.advance(minuteMs);
    await rename(store, session, { quarantineMs: 7 * dayMs });
    store.clock.advance(hourMs - 1);
    await sweep(store);
    expect(await store.mail.createSession(newSession({ address: before }))).toBe('taken');
    store.clock.advance(1);
    const next = await createLive(store, { address: before });
    await deliverOne(store, next);
    expect(await listIds(store, session)).toEqual([]);
  });

  it('is free after a minute without quarantine, and further mail goes to the next holder', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address: before });
    await rename(store, session);
    store.clock.advance(minuteMs);
    const next = await createLive(store, { address: before });
    expect(await store.mail.findLiveSession(before)).toEqual(next);
    expect(await rename(store, session, { address: before })).toBe('taken');
  });

  it('quarantines the new address at the end, as agreed at the rename', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address: before });
    await rename(store, session, { quarantineMs: hourMs });
    await store.mail.endSession(session.key);
    store.clock.advance(hourMs - 1);
    expect(await store.mail.createSession(newSession({ address: after }))).toBe('taken');
    store.clock.advance(1);
    await createLive(store, { address: after });
    await createLive(store, { address: before });
  });

  it('lets a session return to its own quarantined address', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address: before, quarantineMs: hourMs });
    await rename(store, session, { quarantineMs: hourMs });
    expect(await rename(store, session, { address: before, quarantineMs: hourMs })).toMatchObject({
      address: before,
      seq: 2,
    });
    expect(await store.mail.findLiveSession(before)).toMatchObject({ key: session.key });
    expect(await store.mail.findLiveSession(after)).toBeUndefined();
    expect(await store.mail.createSession(newSession({ address: after }))).toBe('taken');
  });

  it('keeps its quarantine when the session that gave it up ends', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address: before, quarantineMs: 2 * dayMs });
    await rename(store, session);
    await store.mail.endSession(session.key);
    store.clock.advance(2 * dayMs - 1);
    await sweep(store);
    expect(await stateOf(store, session)).toBe('unknown');
    expect(await store.mail.createSession(newSession({ address: before }))).toBe('taken');
    store.clock.advance(1);
    await createLive(store, { address: before });
  });
}
