import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { WalSync } from '#group-commit/writer';
import { openDatabase, type Syncing } from '#group-commit/open-database';
import type { Session, SessionKey } from '../../domain/session.ts';
import type { MailStore } from '../mail-store.ts';
import { seqMax } from './rows/message-row-id.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { storeDefaults } from '../../../test/support/service/store-defaults.ts';

let folder: string;
let mail: MailStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-sqlite-'));
  open();
  return async () => {
    await mail.close();
    await rm(folder, { recursive: true });
  };
});

function open(syncing: Syncing = 'commits'): void {
  const onBroken = (error: Error): never => {
    throw error;
  };
  const quota = { messages: Infinity, bytes: Infinity };
  ({ mail } = openSqliteStore({
    ...storeDefaults,
    file: join(folder, 'mayfly.db'),
    syncing,
    quota,
    onBroken,
  }));
}

/** Changes what only a store of great age would have. */
async function alter(sql: string): Promise<void> {
  await mail.close();
  const database = new Database(join(folder, 'mayfly.db'));
  database.exec(sql);
  database.close();
  open();
}

async function createSession(address: string): Promise<Session> {
  const key = randomBytes(16) as Uint8Array as SessionKey;
  const session = await mail.createSession({
    key,
    tokenHash: Buffer.concat([key, randomBytes(16)]),
    address,
    addressKey: address,
    publicKey: randomBytes(32),
    salt: randomBytes(16),
    lifetimeMs: 3_600_000,
    totalLifetimeMs: 3_600_000,
    quarantineMs: 0,
  });
  if (session === 'taken') throw new Error('The address was taken.');
  return session;
}

async function deliver({ key }: Session): Promise<unknown> {
  const raw = [Buffer.from('first'), Buffer.from('second')];
  const [outcome] = await mail.deliver([{ key, sizeBytes: 11, meta: Buffer.from('meta'), raw }]);
  return outcome;
}

async function listIds({ key }: Session): Promise<number[]> {
  return (await mail.listMessages(key, { limit: 9, order: 'oldest-first' })).map(({ id }) => id);
}

it('keeps sessions apart whose row ids are the largest that can be', async () => {
  await createSession('first@mayfly.test');
  await alter(
    `UPDATE sessions SET id = ${2 ** 31 - 4}; UPDATE session_states SET session_id = ${2 ** 31 - 4}`,
  );
  const [one, two] = [await createSession('one@mayfly.test'), await createSession('two@mayfly.test')];
  for (const session of [one, two, one]) expect(await deliver(session)).toMatchObject({ outcome: 'stored' });
  expect(await listIds(one)).toEqual([1, 2]);
  expect(await listIds(two)).toEqual([1]);
  expect(await mail.deleteMessage(one.key, 1)).toBe(true);
  expect((await mail.listEvents(one.key, 0, 9)).events.map(({ seq }) => seq)).toEqual([2, 3]);
  await mail.endSession(one.key);
  while (await mail.reclaim(5));
  await expect(listIds(one)).rejects.toMatchObject({ code: 'session_expired' });
  expect(await listIds(two)).toEqual([1]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of mail.readRaw(two.key, 1)) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('firstsecond');
});

it('is full when a session’s numbers are used up, and still deletes and ends', async () => {
  const session = await createSession('a@mayfly.test');
  const neighbour = await createSession('b@mayfly.test');
  await deliver(neighbour);
  await alter(`UPDATE session_states SET seq = ${seqMax - 1} WHERE session_id = 1`);
  expect(await deliver(session)).toMatchObject({ outcome: 'stored', id: seqMax });
  expect(await deliver(session)).toEqual({ outcome: 'full' });
  expect(await listIds(session)).toEqual([seqMax]);
  expect((await mail.listEvents(session.key, seqMax - 1, 9)).events).toMatchObject([{ seq: seqMax }]);
  expect(await mail.deleteMessage(session.key, seqMax)).toBe(true);
  expect(await deliver(session)).toEqual({ outcome: 'full' });
  expect(await mail.endSession(session.key)).toBe(true);
  while (await mail.reclaim(5));
  expect(await listIds(neighbour)).toEqual([1]);
});

it('overwrites the salt of an ended session in its file', async () => {
  const sessions: Session[] = [];
  for (let at = 0; at < 40; at++) sessions.push(await createSession(`s${at}@mayfly.test`));
  const countSalts = async (): Promise<number> => {
    // Closing moves everything from the log to the file.
    await mail.close();
    const files = ['mayfly.db', 'mayfly.db-wal']
      .map((name) => join(folder, name))
      .filter((file) => existsSync(file));
    const bytes = Buffer.concat(files.map((file) => readFileSync(file)));
    open();
    return sessions.filter(({ salt }) => bytes.includes(Buffer.from(salt))).length;
  };
  expect(await countSalts()).toBe(40);
  for (const { key } of sessions.slice(0, 25)) await mail.endSession(key);
  expect(await countSalts()).toBe(15);
});

it('opens its file with the settings that durability and erasing rest on', () => {
  const database = openDatabase(join(folder, 'mayfly.db'));
  const setting = (name: string): unknown => database.pragma(name, { simple: true });
  expect(setting('journal_mode')).toBe('wal');
  // NORMAL: each commit's sync is ours (writer.ts).
  expect(setting('synchronous')).toBe(1);
  expect(setting('auto_vacuum')).toBe(2);
  expect(setting('wal_autocheckpoint')).toBe(0);
  expect(setting('temp_store')).toBe(2);
  database.close();
});

it('syncs nothing where its data ends with the process, and is in order otherwise', async () => {
  const file = join(folder, 'short.db');
  const database = openDatabase(file, 'never');
  expect(database.pragma('synchronous', { simple: true })).toBe(0);
  database.close();
  await mail.close();
  open('never');
  const session = await createSession('a@mayfly.test');
  expect(await deliver(session)).toMatchObject({ outcome: 'stored' });
  await mail.close();
  open('never');
  expect(await listIds(session)).toEqual([1]);
});

it('shows no message that a power cut could still undo', async () => {
  const session = await createSession('a@mayfly.test');
  const held: ((error: Error | null) => void)[] = [];
  const sync = vi.spyOn(WalSync.prototype, 'sync').mockImplementation((callback) => void held.push(callback));
  onTestFinished(() => {
    sync.mockRestore();
  });
  const order: string[] = [];
  const note = (what: string, promise: Promise<unknown>): Promise<unknown> =>
    promise.then(() => order.push(what));
  const delivered = note('delivered', deliver(session));
  await vi.waitUntil(() => held.length === 1, 60_000);
  const reads = [
    note('listed', mail.listMessages(session.key, { limit: 9, order: 'newest-first' })),
    note('found', mail.findMessage(session.key, 1)),
    note('events', mail.listEvents(session.key, 0, 9)),
    note('session', mail.findSessionByKey(session.key)),
  ];
  expect(await mail.findLiveSession('a@mayfly.test')).toBeDefined();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(order).toEqual([]);
  sync.mockRestore();
  held[0]?.(null);
  await Promise.all([delivered, ...reads]);
  expect(order).toHaveLength(5);
  expect(await listIds(session)).toEqual([1]);
});

it('shows a read mark at once, and its numbers once no power cut can undo them', async () => {
  const session = await createSession('a@mayfly.test');
  await deliver(session);
  const held: ((error: Error | null) => void)[] = [];
  const sync = vi.spyOn(WalSync.prototype, 'sync').mockImplementation((callback) => void held.push(callback));
  onTestFinished(() => {
    sync.mockRestore();
  });
  await mail.markRead(session.key, 1);
  expect(held).toEqual([]);
  expect(await mail.findSessionByKey(session.key, 'committed')).toMatchObject({ session: { version: 2 } });
  const order: string[] = [];
  const note = (what: string, promise: Promise<unknown>): Promise<unknown> =>
    promise.then(() => order.push(what));
  const reads = [
    note('events', mail.listEvents(session.key, 0, 9)),
    note('session', mail.findSessionByKey(session.key)),
  ];
  await vi.waitUntil(() => held.length === 1, 60_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(order).toEqual([]);
  sync.mockRestore();
  held[0]?.(null);
  await Promise.all(reads);
  expect(await mail.findMessage(session.key, 1)).toMatchObject({ isRead: true });
});

it('commits what waits before it closes and takes nothing afterwards', async () => {
  const session = await createSession('a@mayfly.test');
  const waiting = deliver(session);
  await mail.close();
  expect(await waiting).toMatchObject({ outcome: 'stored' });
  await expect(deliver(session)).rejects.toThrow('not open');
  open();
  expect(await listIds(session)).toEqual([1]);
});

it('is reachable while it is open, and measures its files', async () => {
  const file = join(folder, 'measured.db');
  const onBroken = (error: Error): never => {
    throw error;
  };
  const store = openSqliteStore({
    ...storeDefaults,
    file,
    quota: { messages: Infinity, bytes: Infinity },
    onBroken,
  });
  onTestFinished(() => store.mail.close());
  expect(store.isReachable()).toBe(true);
  await store.directory.addDomain('a.test', 0, 0);
  const { waitingWrites, databaseBytes, logBytes } = store.readFigures();
  expect(waitingWrites).toBe(0);
  expect(Math.min(databaseBytes, logBytes)).toBeGreaterThan(0);
});
