// The effect of schema 11 on a store in which sessions had numbers of earlier ones, and the numbers that are never
// reused.

import Database from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';

import { migrate, readMigrations } from './migrate.ts';

const span = 2 ** 22;
let database: Database.Database;

beforeEach(() => {
  database = new Database(':memory:');
  return () => {
    database.close();
  };
});

interface Row {
  readonly [column: string]: number | string | Buffer | null;
}

function insert(table: string, row: Row): void {
  const columns = Object.keys(row);
  const values = columns.map((column) => `:${column}`);
  database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`).run(row);
}

function addSession(id: number, given: Row = {}): void {
  insert('sessions', {
    ...{ id, key: Buffer.alloc(16, id), token_hash: Buffer.alloc(32, id) },
    ...{ address: `${id}@mayfly.test`, address_key: `${id}@mayfly.test`, created_at: 1000 },
    ...{ latest_end_at: 9000, quarantine_ms: 0, key_slot: id, ...given },
  });
  insert('session_states', { session_id: id, expires_at: 9000 });
}

function addEndpoint(id: number, sessionId: number, given: Row = {}): void {
  insert('webhook_endpoints', { id, session_id: sessionId, state: 'active', changed_at: 1500, ...given });
}

function queue(endpointId: number, sessionId: number, at: number): void {
  insert('outbox', { endpoint_id: endpointId, session_id: sessionId, seq: 1, kind: 'x', at, queued_at: at });
}

function list(sql: string): unknown[] {
  return database.prepare(sql).pluck().all();
}

function createOld(): void {
  migrate(database, readMigrations().slice(0, 10));
}

function migrateTo11(): void {
  migrate(database, readMigrations().slice(0, 11));
}

it('keeps every session, its index, and the trigger that tells of its end', () => {
  createOld();
  addSession(1, { account_id: 4 });
  addSession(3);
  insert('gmail_cleanups', {
    account_id: 4,
    folder: 'INBOX',
    uid_validity: 1,
    uid: 1,
    message_tag: '',
    waiting: 1,
  });
  insert('gmail_cleanup_sessions', { session_id: 1, cleanup_id: 1 });
  const before = database.prepare('SELECT * FROM sessions').all();
  migrateTo11();
  expect(database.prepare('SELECT * FROM sessions').all()).toEqual(before);
  const plan = database
    .prepare<[], { detail: string }>(
      'EXPLAIN QUERY PLAN SELECT 1 FROM sessions WHERE account_id = 4 AND key_slot IS NOT NULL',
    )
    .get();
  expect(plan?.detail).toContain('sessions_of_account');
  expect(list('SELECT waiting FROM gmail_cleanups')).toEqual([1]);
  database.exec('UPDATE sessions SET key_slot = NULL WHERE id = 1');
  expect(list('SELECT waiting FROM gmail_cleanups')).toEqual([0]);
});

it.each<[string, () => void]>([
  ['a session that is there', () => addSession(70)],
  ['a resting address', () => insert('addresses', { address_key: 'a', session_id: 70, free_at: 5 })],
  ['an endpoint', () => addEndpoint(2, 70)],
  ['a queued event', () => queue(1, 70, 1)],
  ['an attempt', () => insert('attempts', { session_id: 70, at: 1, number: 1, sealed: Buffer.alloc(1) })],
  ['an origin', () => insert('origins', { session_id: 70, origin: Buffer.alloc(16) })],
  [
    'a message',
    () => insert('messages', { id: 70 * span + 3, received_at: 1, size_bytes: 1, content_id: 1 }),
  ],
  ['an event', () => insert('events', { id: 70 * span + 3, kind: 'x', at: 1 })],
  ['a staged chunk', () => insert('staged', { chunks_id: -70 * span - 3 })],
])('counts on from the number that %s names', (_, add) => {
  createOld();
  addSession(1);
  add();
  migrateTo11();
  database.exec('DELETE FROM sessions WHERE id > 1');
  expect(
    database
      .prepare(
        `INSERT INTO sessions (key, token_hash, address, address_key, created_at, latest_end_at,
    quarantine_ms) VALUES (x'01', x'02', '', '', 0, 0, 0)`,
      )
      .run().lastInsertRowid,
  ).toBe(71);
});

it('takes endpoints from sessions that are not the ones they were added by, and what was queued for them', () => {
  createOld();
  addEndpoint(1, 0, { changed_at: 0 });
  // Older than its session; changed since, but without an endpoint as new; changed since, but with an earlier event.
  addSession(5, { created_at: 1000 });
  addEndpoint(2, 5, { changed_at: 999 });
  addSession(6, { created_at: 2000 });
  addEndpoint(3, 6, { changed_at: 2500 });
  addEndpoint(4, 5, { changed_at: 1500 });
  addSession(7, { created_at: 3000 });
  addEndpoint(5, 7, { changed_at: 3500 });
  queue(5, 7, 2900);
  // An endpoint of a session that is gone, and a valid one.
  addEndpoint(6, 99, { changed_at: 3600 });
  addEndpoint(7, 7, { changed_at: 3600 });
  queue(7, 7, 3700);
  queue(2, 5, 1200);
  queue(6, 99, 3600);
  queue(1, 7, 2950);
  queue(1, 7, 3800);
  migrateTo11();
  expect(list('SELECT id FROM webhook_endpoints ORDER BY id')).toEqual([1, 4, 7]);
  expect(list("SELECT endpoint_id || ' ' || at FROM outbox ORDER BY id")).toEqual(['7 3700', '1 3800']);
  expect(list('SELECT queued FROM webhook_endpoints ORDER BY id')).toEqual([1, 0, 1]);
});

it('removes what is left of sessions that are gone, and nothing of others', () => {
  createOld();
  for (const id of [1, 2]) {
    addSession(id, { account_id: 4 });
    insert('attempts', { session_id: id, at: 1, number: 1, sealed: Buffer.alloc(1) });
    insert('origins', { session_id: id, origin: Buffer.alloc(16) });
    insert('contents', { id, meta: Buffer.alloc(1), raw: Buffer.alloc(1) });
    insert('messages', { id: id * span + 1, received_at: 1, size_bytes: 1, content_id: id });
    insert('chunks', { message_id: id * span + 1, number: 1, data: Buffer.alloc(1) });
    insert('notes', { message_id: id * span + 1 });
    insert('events', { id: id * span + 2, kind: 'x', at: 1 });
    insert('staged', { chunks_id: -id * span - 1, message_id: id * span + 1 });
    insert('gmail_cleanups', {
      account_id: 4,
      folder: 'F',
      uid_validity: 1,
      uid: id,
      message_tag: '',
      waiting: 1,
    });
    insert('gmail_cleanup_sessions', { session_id: id, cleanup_id: id });
  }
  database.exec('DELETE FROM sessions WHERE id = 2');
  migrateTo11();
  for (const table of ['session_states', 'attempts', 'origins', 'gmail_cleanup_sessions']) {
    expect(list(`SELECT session_id FROM ${table}`)).toEqual([1]);
  }
  expect(list('SELECT id FROM contents')).toEqual([1]);
  expect(list('SELECT id FROM messages')).toEqual([span + 1]);
  expect(list('SELECT message_id FROM notes')).toEqual([span + 1]);
  expect(list('SELECT id FROM events')).toEqual([span + 2]);
  // For reclaim.
  expect(list('SELECT message_id FROM garbage ORDER BY 1')).toEqual([-2 * span - 1, 2 * span + 1]);
  expect(list('SELECT waiting FROM gmail_cleanups ORDER BY id')).toEqual([1, 0]);
});

/** Why the numbers of these may come again: what names them goes in the same transaction, or they are never deleted. */
const excepted = new Map([
  ['key_slots', 'written over when its session ends, which lets go of it then'],
  ['contents', 'named by its message alone, which goes in the same transaction'],
  ['gmail_mailboxes', 'never deleted'],
]);
/** Tables whose key is another table's id, or derived from one. */
const derived = ['session_states', 'messages', 'notes', 'events', 'garbage', 'staged'];

it('gives the numbers of no table again, save where nothing can be left that names them', () => {
  migrate(database);
  const tables = database
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all()
    .filter(({ name, sql }) => /INTEGER PRIMARY KEY/.test(sql) && !derived.includes(name));
  const reused = tables.filter(({ sql }) => !/INTEGER PRIMARY KEY AUTOINCREMENT/.test(sql));
  expect(reused.map(({ name }) => name).sort()).toEqual([...excepted.keys()].sort());
});
