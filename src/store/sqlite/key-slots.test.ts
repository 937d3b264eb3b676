import { randomBytes } from 'node:crypto';

import Database from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';

import { KeySlots } from './key-slots.ts';
import { migrate } from './migrate.ts';

let database: Database.Database;
let slots: KeySlots;
let sessions: number;

beforeEach(() => {
  database = new Database(':memory:');
  migrate(database);
  slots = new KeySlots(database);
  sessions = 0;
  return () => {
    database.close();
  };
});

/** A session, of which only what points to its key matters here. */
function addSession(dataKey: Uint8Array): { id: number; slot: number } {
  const slot = slots.take(dataKey);
  sessions += 1;
  database
    .prepare(
      `INSERT INTO sessions (id, key, token_hash, address, address_key, created_at, latest_end_at,
         quarantine_ms, key_slot) VALUES (?, ?, x'', '', '', 0, 0, 0, ?)`,
    )
    .run(sessions, randomBytes(16), slot);
  return { id: sessions, slot };
}

function countSlots(): unknown {
  return database.prepare('SELECT count(*) FROM key_slots').pluck().get();
}

it('gives every key a slot of its own, more than were there at first', () => {
  const keys = Array.from({ length: 1000 }, () => randomBytes(32));
  const used = keys.map((key) => addSession(key).slot);
  expect(new Set(used).size).toBe(1000);
  const read = database.prepare('SELECT data_key FROM key_slots WHERE id = ?').pluck();
  for (const [at, slot] of used.entries()) expect(read.get(slot)).toEqual(keys[at]);
});

it('uses cleared slots again', () => {
  const held = Array.from({ length: 1000 }, () => addSession(randomBytes(32)));
  const before = countSlots();
  for (const { id } of held) slots.clear(id);
  const again = held.map(() => addSession(randomBytes(32)).slot);
  expect(new Set(again)).toEqual(new Set(held.map(({ slot }) => slot)));
  expect(countSlots()).toBe(before);
});

it('clears nothing of others when a session without a key is cleared', () => {
  const first = addSession(randomBytes(32));
  slots.clear(first.id);
  database.prepare('UPDATE sessions SET key_slot = NULL WHERE id = ?').run(first.id);
  const key = randomBytes(32);
  const next = addSession(key);
  expect(next.slot).toBe(first.slot);
  slots.clear(first.id);
  slots.clear(12345);
  expect(database.prepare('SELECT data_key FROM key_slots WHERE id = ?').pluck().get(next.slot)).toEqual(key);
});

it.each([0, 16, 31, 33])('takes no key of %d bytes', (bytes) => {
  expect(() => slots.take(randomBytes(bytes))).toThrow(RangeError);
});

it('finds a free slot by the index', () => {
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN SELECT id FROM key_slots WHERE data_key = x'${'00'.repeat(32)}' LIMIT 1`)
    .all() as { detail: string }[];
  expect(plan[0]?.detail).toContain('key_slots_free');
});
