import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import Database from 'better-sqlite3';
import { beforeEach, expect, inject, it } from 'vitest';

import { openDatabase } from '#group-commit/open-database';
import type { SessionKey } from '../../domain/session.ts';
import { newestOf } from '../schema-version.ts';
import { checkCopy } from './copy/check-copy.ts';
import { openSqliteSource } from './copy/sqlite-source.ts';
import { migrate, readMigrations } from './migrate.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { storeDefaults } from '../../../test/support/service/store-defaults.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-migrate-'));
  file = join(folder, 'mayfly.db');
  return () => rm(folder, { recursive: true });
});

const next = {
  version: 1 + newestOf(readMigrations()),
  sql: `ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'none';
    CREATE TABLE colours (name TEXT PRIMARY KEY) STRICT;
    INSERT INTO colours SELECT DISTINCT address FROM sessions;`,
};

function open() {
  return openSqliteStore({
    ...storeDefaults,
    file,
    quota: { messages: Infinity, bytes: Infinity },
    onBroken: (error) => {
      throw error;
    },
  });
}

/** Fills a store of today's schema with one session and a message of three chunks. */
async function fill(): Promise<{ key: SessionKey; salt: Buffer; raw: Buffer[] }> {
  const { mail, directory } = open();
  const key = randomBytes(16) as Uint8Array as SessionKey;
  const salt = randomBytes(16);
  const raw = [randomBytes(9000), randomBytes(9000), randomBytes(10)];
  await directory.addDomain('mayfly.test', 5, 5);
  await mail.createSession({
    key,
    tokenHash: Buffer.concat([key, key]),
    address: 'a@mayfly.test',
    addressKey: 'a@mayfly.test',
    publicKey: randomBytes(32),
    salt,
    lifetimeMs: 3_600_000,
    totalLifetimeMs: 3_600_000,
    quarantineMs: 0,
  });
  await mail.deliver([{ key, sizeBytes: 18_010, meta: Buffer.from('meta'), raw }]);
  await mail.close();
  return { key, salt, raw };
}

function versionOf(database: Database.Database): unknown {
  return database.pragma('user_version', { simple: true });
}

it('brings an empty file to the newest schema, once', () => {
  const database = openDatabase(file);
  migrate(database);
  expect(versionOf(database)).toBe(next.version - 1);
  const schema = database.prepare('SELECT sql FROM sqlite_schema').all();
  migrate(database);
  expect(database.prepare('SELECT sql FROM sqlite_schema').all()).toEqual(schema);
  database.close();
});

it('brings a filled file of an older schema to a newer one with all that is in it', async () => {
  const { key, salt, raw } = await fill();
  const database = openDatabase(file);
  migrate(database, [...readMigrations(), next]);
  expect(versionOf(database)).toBe(next.version);
  expect(database.prepare('SELECT key, colour FROM sessions').get()).toEqual({ key, colour: 'none' });
  expect(database.prepare('SELECT name FROM colours').pluck().all()).toEqual(['a@mayfly.test']);
  // To look at it with the store of today, which knows no newer schema.
  database.pragma(`user_version = ${next.version - 1}`);
  database.close();
  const { mail, directory } = open();
  expect(await mail.findSessionByKey(key)).toMatchObject({
    state: 'live',
    session: { salt, messageCount: 1 },
  });
  const read: Uint8Array[] = [];
  for await (const chunk of mail.readRaw(key, 1)) read.push(chunk);
  expect(read).toEqual(raw);
  expect(await directory.listDomains()).toMatchObject([{ name: 'mayfly.test' }]);
  await mail.close();
});

it('leaves the older schema with its data when a migration fails, and applies it when it is mended', async () => {
  await fill();
  const database = openDatabase(file);
  const broken = { ...next, sql: `${next.sql}; INSERT INTO nowhere VALUES (1)` };
  expect(() => {
    migrate(database, [...readMigrations(), broken]);
  }).toThrow('nowhere');
  expect(versionOf(database)).toBe(next.version - 1);
  expect(database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'colours'").pluck().get()).toBe(0);
  expect(database.prepare('SELECT count(*) FROM messages').pluck().get()).toBe(1);
  migrate(database, [...readMigrations(), next]);
  expect(versionOf(database)).toBe(next.version);
  database.close();
});

it('applies each migration wholly or not at all when the process is killed in the middle of one', async () => {
  await fill();
  const load = (name: string): string => JSON.stringify(pathToFileURL(join(inject('modulesDir'), name)).href);
  const second = { version: next.version + 1, sql: 'CREATE TABLE half (a); SELECT crash();' };
  const script = `
    const { migrate, readMigrations } = await import(${load('store/sqlite/migrate.js')});
    const { openDatabase } = await import(${load('packages/group-commit/src/open-database.js')});
    const database = openDatabase(${JSON.stringify(file)});
    database.function('crash', () => process.kill(process.pid, 'SIGKILL'));
    migrate(database, [...readMigrations(), ...${JSON.stringify([next, second])}]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  const database = openDatabase(file);
  expect(versionOf(database)).toBe(next.version);
  expect(database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").pluck().get()).toBe(0);
  expect(database.prepare('SELECT count(*) FROM messages').pluck().get()).toBe(1);
  migrate(database, [...readMigrations(), next, { ...second, sql: 'CREATE TABLE half (a)' }]);
  expect(versionOf(database)).toBe(next.version + 1);
  database.close();
});

it('refuses a file of a newer schema, changes nothing and lets go of it', async () => {
  await fill();
  const database = new Database(file);
  database.pragma(`user_version = ${next.version}`);
  database.close();
  const before = await readFile(file);
  expect(open).toThrow('written by a newer version');
  expect((await readFile(file)).equals(before)).toBe(true);
});

it.each([1, 17, 99])('refuses schema %i of a build before the first release in one line', async (version) => {
  await fill();
  const database = new Database(file);
  database.pragma(`user_version = ${version}`);
  database.close();
  const before = await readFile(file);
  const refusal = new RegExp(
    `has schema ${version}, of a build before the first release\\. [^\\n]+ empty store\\.$`,
  );
  expect(open).toThrow(refusal);
  expect(() => checkCopy(file)).toThrow(refusal);
  expect(() => openSqliteSource(file)).toThrow(refusal);
  expect((await readFile(file)).equals(before)).toBe(true);
});

/** Why the numbers of these may come again: what names them goes in the same transaction, or they are never deleted. */
const excepted = new Map([
  ['contents', 'named by its message alone, which goes in the same transaction'],
  ['gmail_mailboxes', 'never deleted'],
]);
/** Tables whose key is another table's id, or derived from one. */
const derived = ['session_states', 'messages', 'notes', 'events', 'garbage', 'staged', 'outbox_contents'];

it('reuses the numbers of no table, except where nothing can be left that names them', () => {
  const database = openDatabase(file);
  migrate(database);
  const tables = database
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all()
    .filter(({ name, sql }) => /INTEGER PRIMARY KEY/.test(sql) && !derived.includes(name));
  database.close();
  const reused = tables.filter(({ sql }) => !/INTEGER PRIMARY KEY AUTOINCREMENT/.test(sql));
  expect(reused.map(({ name }) => name).sort()).toEqual([...excepted.keys()].sort());
});
