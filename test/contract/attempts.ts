// Contract: the part of a session's delivery log that is not its messages. Part of mail-store.ts.

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
  type OpenedStore,
  type OpenStore,
  sweep,
} from './store-fixture.ts';

export function attemptContract(open: OpenStore): void {
  addContract(open);
  boundContract(open);
  deletionContract(open);
  endContract(open);
}

function add(store: OpenedStore, session: Session, text: string): Promise<void> {
  return store.attempts.addAttempt(session.key, Buffer.from(text));
}

/** Returns the texts that were kept, newest first. */
async function textsOf(store: OpenedStore, session: Session): Promise<string[]> {
  return (await store.attempts.listAttempts(session.key)).map(({ sealed }) => Buffer.from(sealed).toString());
}

function addContract(open: OpenStore): void {
  it('lists the attempts of a session newest first, each with its instant, including uncommitted ones', async () => {
    const store = await openForTest(open);
    const [session, other] = [await createLive(store), await createLive(store)];
    const at = store.clock.now();
    const adding = [add(store, session, 'a'), add(store, other, 'of the other')];
    store.clock.advance(5);
    adding.push(add(store, session, 'b'), add(store, session, 'c'));
    expect(await store.attempts.listAttempts(session.key)).toEqual([
      { at: at + 5, sealed: Buffer.from('c') },
      { at: at + 5, sealed: Buffer.from('b') },
      { at, sealed: Buffer.from('a') },
    ]);
    await Promise.all(adding);
    await store.reopen();
    expect(await textsOf(store, session)).toEqual(['c', 'b', 'a']);
    expect(await textsOf(store, other)).toEqual(['of the other']);
  });

  it('keeps attempts added just before it is closed', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const adding = add(store, session, 'last');
    await store.reopen();
    await adding;
    expect(await textsOf(store, session)).toEqual(['last']);
  });

  it('resolves without another write', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    await add(store, session, 'alone');
    expect(await textsOf(store, session)).toEqual(['alone']);
  });

  it('changes neither the version of the list nor the log of events', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const before = await store.mail.findSessionByKey(session.key);
    const adding = add(store, session, 'a');
    expect(await textsOf(store, session)).toEqual(['a']);
    await adding;
    expect(await store.mail.findSessionByKey(session.key)).toEqual(before);
    expect((await store.mail.listEvents(session.key, 0, 9)).events).toEqual([]);
  });

  it('lists nothing of an unknown session and adds nothing to it', async () => {
    const store = await openForTest(open);
    const { key } = newSession();
    const adding = store.attempts.addAttempt(key, Buffer.from('x'));
    expect(await store.attempts.listAttempts(key)).toEqual([]);
    await adding;
    expect(await store.countRows()).toMatchObject({ content: 0 });
  });
}

function boundContract(open: OpenStore): void {
  it('keeps the newest fifty of each session', async () => {
    const store = await openForTest(open);
    const [session, other] = [await createLive(store), await createLive(store)];
    const adding = [add(store, other, 'other')];
    for (let i = 0; i < 130; i++) {
      adding.push(add(store, session, `${i}`));
      if (i % 3 === 0) store.clock.advance(1);
    }
    const expected = Array.from({ length: 50 }, (_, at) => `${129 - at}`);
    expect(await textsOf(store, session)).toEqual(expected);
    await Promise.all(adding);
    expect(await textsOf(store, other)).toEqual(['other']);
    expect(await store.countRows()).toMatchObject({ content: 51 });
  });

  it('orders by the instant of an attempt, not by when it was added', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const id = await deliverOne(store, session);
    store.clock.advance(minuteMs);
    const adding = Array.from({ length: 50 }, (_, at) => add(store, session, `${at}`));
    expect(await textsOf(store, session)).toHaveLength(50);
    await Promise.all(adding);
    await store.mail.deleteMessage(session.key, id, Buffer.from('older than all'));
    expect(await textsOf(store, session)).toEqual(Array.from({ length: 50 }, (_, at) => `${49 - at}`));
  });
}

function deletionContract(open: OpenStore): void {
  it('keeps the attempt of a deleted message at the instant the message came', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const at = store.clock.now();
    const id = await deliverOne(store, session);
    store.clock.advance(10);
    const adding = add(store, session, 'later');
    store.clock.advance(10);
    expect(await store.mail.deleteMessage(session.key, id, Buffer.from('deleted'))).toBe(true);
    await adding;
    expect(await store.attempts.listAttempts(session.key)).toEqual([
      { at: at + 10, sealed: Buffer.from('later') },
      { at, sealed: Buffer.from('deleted') },
    ]);
  });

  it('keeps it once however often the message is deleted, and ignores missing messages', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const id = await deliverOne(store, session);
    const attempt = Buffer.from('deleted');
    const twice = [1, 2].map(() => store.mail.deleteMessage(session.key, id, attempt));
    // Either may be first: they run on two connections.
    expect((await Promise.all(twice)).sort()).toEqual([false, true]);
    expect(await store.mail.deleteMessage(session.key, id + 1, attempt)).toBe(false);
    expect(await textsOf(store, session)).toEqual(['deleted']);
  });
}

function endContract(open: OpenStore): void {
  it('adds nothing to a session that has ended, is due, or ends before the commit', async () => {
    const store = await openForTest(open);
    const sessions = [await createLive(store), await createLive(store), await createLive(store)] as const;
    const [ended, due, ending] = sessions;
    await store.mail.endSession(ended.key);
    const adding = [add(store, ended, 'x')];
    expect(await textsOf(store, ended)).toEqual([]);
    adding.push(add(store, ending, 'x'));
    store.clock.advance(hourMs);
    adding.push(add(store, due, 'x'));
    for (const session of sessions) expect(await textsOf(store, session)).toEqual([]);
    await Promise.all(adding);
    await sweep(store);
    expect(await store.countRows()).toMatchObject({ content: 0 });
  });

  it('shows nothing of the address’s previous holder, and reclaims its rows', async () => {
    const store = await openForTest(open);
    const first = await createLive(store);
    const adding = Array.from({ length: 50 }, () => add(store, first, 'of the first'));
    const id = await deliverOne(store, first);
    await store.mail.deleteMessage(first.key, id, Buffer.from('of the first'));
    await Promise.all(adding);
    await store.mail.endSession(first.key);
    const second = await createLive(store, { address: first.address });
    const addingToSecond = add(store, second, 'of the second');
    expect(await textsOf(store, second)).toEqual(['of the second']);
    await addingToSecond;
    await sweep(store);
    expect(await textsOf(store, first)).toEqual([]);
    expect(await store.countRows()).toMatchObject({ content: 1 });
    await store.mail.endSession(second.key);
    store.clock.advance(dayMs);
    await sweep(store);
    expect(await store.countRows()).toEqual({ content: 0, sessions: 0, keys: 0 });
  });
}
