// Contract: messages are listed, found, read, noted and deleted. Part of mail-store.ts.

import { expect, it } from 'vitest';

import {
  createLive,
  deliverOne,
  listIds,
  newSession,
  openForTest,
  type OpenedStore,
  type OpenStore,
  readAll,
  sweep,
} from './store-fixture.ts';

export function messageContract(open: OpenStore): void {
  listContract(open);
  readContract(open);
  noteContract(open);
  deleteContract(open);
}

async function deliverMany(store: OpenedStore, count: number) {
  const session = await createLive(store);
  for (let i = 0; i < count; i++) await deliverOne(store, session, `message ${i + 1}`);
  return session;
}

function listContract(open: OpenStore): void {
  it('lists newest first and oldest first, after an id, before an id, and at most the limit', async () => {
    const store = await openForTest(open);
    const neighbours = [await deliverMany(store, 2)];
    const session = await deliverMany(store, 5);
    neighbours.push(await deliverMany(store, 2));
    const ids = async (range: object): Promise<number[]> => {
      const all = { limit: 100, order: 'oldest-first' as const };
      return (await store.mail.listMessages(session.key, { ...all, ...range })).map((message) => message.id);
    };
    expect(await ids({})).toEqual([1, 2, 3, 4, 5]);
    expect(await ids({ order: 'newest-first' })).toEqual([5, 4, 3, 2, 1]);
    expect(await ids({ after: 2 })).toEqual([3, 4, 5]);
    expect(await ids({ before: 4 })).toEqual([1, 2, 3]);
    expect(await ids({ after: 1, before: 5, order: 'newest-first' })).toEqual([4, 3, 2]);
    expect(await ids({ limit: 2 })).toEqual([1, 2]);
    expect(await ids({ limit: 2, order: 'newest-first' })).toEqual([5, 4]);
    expect(await ids({ limit: 2, after: 1 })).toEqual([2, 3]);
    expect(await ids({ limit: 2, before: 4, order: 'newest-first' })).toEqual([3, 2]);
    expect(await ids({ after: 5 })).toEqual([]);
    expect(await ids({ before: 1 })).toEqual([]);
    for (const neighbour of neighbours) expect(await listIds(store, neighbour)).toEqual([1, 2]);
  });

  // Row ids, offsets and the like must not wrap around into another session's data.
  it.each([-1, 0, 0.5, 6, 2 ** 22, 2 ** 22 + 1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER])(
    'finds nothing, its own or a neighbour’s, under the id %d',
    async (id) => {
      const store = await openForTest(open);
      const before = await deliverMany(store, 2);
      const session = await deliverMany(store, 2);
      const behind = await deliverMany(store, 2);
      expect(await store.mail.findMessage(session.key, id)).toBeUndefined();
      expect(await store.mail.deleteMessage(session.key, id)).toBe(false);
      await store.mail.markRead(session.key, id);
      await store.mail.keepGlance(session.key, id, Buffer.from('glance'));
      await expect(readAll(store, session, id)).rejects.toThrow();
      const seen = await store.mail.listMessages(session.key, {
        after: id,
        limit: 100,
        order: 'oldest-first',
      });
      expect(seen.map((message) => message.id)).toEqual([1, 2].filter((own) => own > id));
      const events = await store.mail.listEvents(session.key, id, 100);
      expect(events.events.map((event) => event.seq)).toEqual([1, 2].filter((own) => own > id));
      for (const neighbour of [before, behind]) {
        const messages = await store.mail.listMessages(neighbour.key, { limit: 9, order: 'oldest-first' });
        expect(messages).toMatchObject([1, 2].map((own) => ({ id: own, isRead: false, glance: null })));
      }
    },
  );

  it.each(['unknown', 'ended', 'erased'])(
    'reads and changes nothing of a session that is %s, and says so',
    async (state) => {
      const store = await openForTest(open);
      const session = await deliverMany(store, 2);
      const key = state === 'unknown' ? newSession().key : session.key;
      if (state !== 'unknown') await store.mail.endSession(key);
      if (state === 'erased') await sweep(store);
      const { mail } = store;
      const range = { limit: 10, order: 'newest-first' } as const;
      const works: (() => Promise<unknown>)[] = [
        () => mail.listMessages(key, range),
        () => mail.listMessages(key, { ...range, order: 'oldest-first' }),
        () => mail.findMessage(key, 0.5),
        ...[1, 3, 0].flatMap((id) => [
          () => mail.findMessage(key, id),
          () => readAll(store, { ...session, key }, id),
          () => mail.setRead(key, id, true),
          () => mail.deleteMessage(key, id),
        ]),
      ];
      for (const work of works) await expect(work()).rejects.toMatchObject({ code: 'session_expired' });
      await store.mail.markRead(key, 1);
      await store.mail.keepGlance(key, 1, Buffer.from('glance'));
    },
  );

  it('says of a live session that it has no such message', async () => {
    const store = await openForTest(open);
    const session = await deliverMany(store, 2);
    for (const id of [3, 0, 0.5]) expect(await store.mail.findMessage(session.key, id)).toBeUndefined();
    for (const id of [3, 0]) {
      await expect(readAll(store, session, id)).rejects.toMatchObject({ code: 'message_not_found' });
      expect(await store.mail.deleteMessage(session.key, id)).toBe(false);
    }
  });

  it.each([1, 30])('stops reading between two of %d chunks when the session ends', async (count) => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const id = await deliverOne(
      store,
      session,
      Array.from({ length: count }, () => Buffer.alloc(256 * 1024)),
    );
    const chunks = store.mail.readRaw(session.key, id)[Symbol.asyncIterator]();
    expect((await chunks.next()).done).toBe(false);
    await store.mail.endSession(session.key);
    await expect(chunks.next()).rejects.toMatchObject({ code: 'session_expired' });
  });
}

function readContract(open: OpenStore): void {
  it('reads chunks back in their order', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const chunks = Array.from({ length: 12 }, (_, at) => Buffer.alloc(5000 + at, at));
    const id = await deliverOne(store, session, chunks);
    await deliverOne(store, session, [Buffer.from('another')]);
    const read: Uint8Array[] = [];
    for await (const chunk of store.mail.readRaw(session.key, id)) read.push(chunk);
    expect(read).toEqual(chunks);
  });

  it('throws when the message is deleted in the middle of reading', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const chunks = Array.from({ length: 3 }, () => Buffer.alloc(1000));
    const id = await deliverOne(store, session, chunks);
    const reading = store.mail.readRaw(session.key, id)[Symbol.asyncIterator]();
    expect((await reading.next()).done).toBe(false);
    await store.mail.deleteMessage(session.key, id);
    while (await store.mail.reclaim(5));
    await expect(reading.next()).rejects.toThrow();
  });

  it('throws for a message that is not there', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    await expect(readAll(store, session, 1)).rejects.toThrow();
    await expect(readAll(store, { ...session, key: newSession().key }, 1)).rejects.toThrow();
  });
}

function noteContract(open: OpenStore): void {
  it('records a read message and its glance, in either order', async () => {
    const store = await openForTest(open);
    const session = await deliverMany(store, 3);
    const glance = Buffer.from('sealed glance');
    await store.mail.markRead(session.key, 1);
    await store.mail.keepGlance(session.key, 1, glance);
    await store.mail.keepGlance(session.key, 2, Buffer.from('older'));
    await store.mail.keepGlance(session.key, 2, glance);
    await store.mail.markRead(session.key, 2);
    await store.mail.markRead(session.key, 2);
    expect(await store.mail.listMessages(session.key, { limit: 9, order: 'oldest-first' })).toMatchObject([
      { id: 1, isRead: true, glance },
      { id: 2, isRead: true, glance },
      { id: 3, isRead: false, glance: null },
    ]);
  });

  it('marks messages read and unread, and logs each change', async () => {
    const store = await openForTest(open);
    const neighbour = await deliverMany(store, 1);
    const session = await deliverMany(store, 2);
    const states = async () =>
      (await store.mail.listMessages(session.key, { limit: 9, order: 'oldest-first' })).map(
        ({ isRead }) => isRead,
      );
    const version = async () => {
      const lookup = await store.mail.findSessionByKey(session.key);
      return lookup.state === 'live' ? lookup.session.version : NaN;
    };
    const before = await version();
    // Already unread: no change.
    expect(await store.mail.setRead(session.key, 1, false)).toBe(true);
    expect(await version()).toBe(before);
    await store.mail.keepGlance(session.key, 1, Buffer.from('glance'));
    expect(await store.mail.setRead(session.key, 1, true)).toBe(true);
    expect(await store.mail.setRead(session.key, 1, true)).toBe(true);
    await Promise.all([1, 2, 3].map(() => store.mail.markRead(session.key, 2)));
    expect(await states()).toEqual([true, true]);
    expect(await store.mail.setRead(session.key, 2, false)).toBe(true);
    expect(await states()).toEqual([true, false]);
    expect(await version()).toBe(before + 3);
    await store.reopen();
    expect(await states()).toEqual([true, false]);
    const { events } = await store.mail.listEvents(session.key, 2, 100);
    expect(events).toMatchObject([
      { seq: 3, kind: 'message.read', messageId: 1 },
      { seq: 4, kind: 'message.read', messageId: 2 },
      { seq: 5, kind: 'message.unread', messageId: 2 },
    ]);
    expect(await store.mail.findMessage(session.key, 1)).toMatchObject({ glance: Buffer.from('glance') });
    expect(await deliverOne(store, session)).toBe(6);
    expect(await store.mail.findMessage(neighbour.key, 1)).toMatchObject({ isRead: false });
  });

  it('marks no missing messages', async () => {
    const store = await openForTest(open);
    const session = await deliverMany(store, 2);
    await deliverMany(store, 3);
    for (const id of [-1, 0, 0.5, 3, 2 ** 22 + 1, 2 ** 32 + 1]) {
      expect(await store.mail.setRead(session.key, id, true)).toBe(false);
      await store.mail.markRead(session.key, id);
    }
    await store.mail.deleteMessage(session.key, 1);
    expect(await store.mail.setRead(session.key, 1, true)).toBe(false);
    await store.mail.endSession(session.key);
    expect((await store.mail.listEvents(session.key, 2, 100)).events.map(({ kind }) => kind)).toEqual([
      'message.deleted',
      'session.expired',
    ]);
  });

  it('notifies readers that a message was marked', async () => {
    const woken: string[] = [];
    const store = await openForTest(open, {
      onNews: (key) => void woken.push(Buffer.from(key).toString('hex')),
    });
    const session = await deliverMany(store, 2);
    woken.length = 0;
    await store.mail.setRead(session.key, 1, true);
    await store.mail.markRead(session.key, 2);
    expect(woken).toEqual(new Array(2).fill(Buffer.from(session.key).toString('hex')));
  });

  it('keeps the latest results of authentication beside other notes', async () => {
    const store = await openForTest(open);
    const session = await deliverMany(store, 2);
    const results = Buffer.from('sealed results');
    expect(await store.mail.findAuthentication(session.key, 1)).toBeUndefined();
    await store.mail.markRead(session.key, 1);
    expect(await store.mail.findAuthentication(session.key, 1)).toBeUndefined();
    await store.mail.keepAuthentication(session.key, 1, Buffer.from('older'));
    await store.mail.keepAuthentication(session.key, 1, results);
    await store.mail.keepGlance(session.key, 1, Buffer.from('glance'));
    await store.reopen();
    expect(await store.mail.findAuthentication(session.key, 1)).toEqual(results);
    expect(await store.mail.findAuthentication(session.key, 2)).toBeUndefined();
    expect(await store.mail.findMessage(session.key, 1)).toMatchObject({
      isRead: true,
      glance: Buffer.from('glance'),
    });
  });

  it('does not change the version of the list when results are stored', async () => {
    const store = await openForTest(open);
    const session = await deliverMany(store, 1);
    const before = await store.mail.findSessionByKey(session.key);
    await store.mail.keepAuthentication(session.key, 1, Buffer.from('results'));
    expect(await store.mail.findSessionByKey(session.key)).toEqual(before);
  });

  it('notes nothing about a deleted message', async () => {
    const store = await openForTest(open);
    const session = await deliverMany(store, 1);
    await store.mail.deleteMessage(session.key, 1);
    const before = await store.countRows();
    await store.mail.markRead(session.key, 1);
    await store.mail.keepGlance(session.key, 1, Buffer.from('late'));
    await store.mail.keepAuthentication(session.key, 1, Buffer.from('late'));
    expect(await store.countRows()).toEqual(before);
    expect(await store.mail.findAuthentication(session.key, 1)).toBeUndefined();
  });
}

function deleteContract(open: OpenStore): void {
  it('deletes a message once', async () => {
    const store = await openForTest(open);
    const session = await deliverMany(store, 3);
    const both = [store.mail.deleteMessage(session.key, 2), store.mail.deleteMessage(session.key, 2)];
    // A store with several connections may run either first.
    expect((await Promise.all(both)).sort()).toEqual([false, true]);
    expect(await store.mail.deleteMessage(session.key, 2)).toBe(false);
    expect(await listIds(store, session)).toEqual([1, 3]);
    expect(await store.mail.findMessage(session.key, 2)).toBeUndefined();
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ session: { messageCount: 2 } });
  });

  it('never gives the id of a deleted message to another', async () => {
    const store = await openForTest(open);
    const session = await deliverMany(store, 2);
    await store.mail.deleteMessage(session.key, 2);
    await store.reopen();
    expect(await deliverOne(store, session)).toBeGreaterThan(2);
  });

  it('frees the space of a deleted message of many chunks, and only that', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const chunks = Array.from({ length: 20 }, (_, at) => Buffer.alloc(50_000, at));
    const ids = [await deliverOne(store, session, chunks), await deliverOne(store, session, chunks)];
    await store.mail.keepGlance(session.key, ids[0] ?? 0, Buffer.from('glance'));
    await store.mail.deleteMessage(session.key, ids[0] ?? 0);
    const before = await store.countRows();
    while (await store.mail.reclaim(5));
    expect((await store.countRows()).content).toBeLessThan(before.content);
    expect((await readAll(store, session, ids[1] ?? 0)).equals(Buffer.concat(chunks))).toBe(true);
    await store.mail.deleteMessage(session.key, ids[1] ?? 0);
    while (await store.mail.reclaim(5));
    // The two entries of the log remain.
    expect((await store.countRows()).content).toBe(2);
  });
}
