import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { Checkpointer } from './checkpointer.ts';
import { GroupCommit } from './group-commit.ts';
import { openDatabase } from '../open-database.ts';
import { WalSync } from './writer.ts';

const kib = 1024;
const mib = 1024 * kib;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-wal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function setUp(walBoundBytes: number, overwriteMaxMs = 30_000) {
  const file = join(await createFolder(), 'mayfly.db');
  const database = openDatabase(file);
  database.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, data BLOB)');
  const seen = { resumes: 0, broken: [] as Error[] };
  const descriptor = openSync(file, 'r');
  const checkpointer = new Checkpointer({
    file,
    descriptor,
    pageBytes: database.pragma('page_size', { simple: true }) as number,
    walBoundBytes,
    overwriteMaxMs,
    hasOldWal: false,
    onResume: () => {
      seen.resumes += 1;
      commits.flush();
    },
    onBroken: (error) => seen.broken.push(error),
  });
  const wal = new WalSync(file);
  const commits = new GroupCommit({
    progress: { current: 1, synced: 0 },
    sync: (callback) => {
      wal.sync(callback);
    },
    onRollback: () => undefined,
    database,
    onBroken: (error) => seen.broken.push(error),
    afterCommit: () => {
      checkpointer.noteCommit();
    },
    writesExpected: () => 0,
    isPaused: () => checkpointer.isPaused,
  });
  const insert = database.prepare('REPLACE INTO blobs VALUES (?, zeroblob(?))');
  // The same few rows again and again: the WAL grows with every write, the database file does not.
  const write = (bytes = 64 * kib, id = 1) => commits.write(() => insert.run(id, bytes));
  const walBytes = (): number => statSync(`${file}-wal`).size;
  onTestFinished(async () => {
    await checkpointer.close();
    wal.close();
    database.close();
    closeSync(descriptor);
    expect(seen.broken).toEqual([]);
  });
  return { file, database, checkpointer, seen, write, walBytes };
}

/** Leaves it in the WAL alone, as a key that was destroyed. */
function destroy(database: Database.Database, secret: Buffer): void {
  database.prepare('REPLACE INTO blobs VALUES (7, ?)').run(secret);
  database.prepare('REPLACE INTO blobs VALUES (7, zeroblob(50))').run();
}

/** Writes on until what is in the WAL is said to be erased. */
async function eraseUnder(checkpointer: Checkpointer, write: () => Promise<unknown>): Promise<void> {
  let isErased = false;
  const erasure = checkpointer.eraseWal().then(() => {
    isErased = true;
  });
  while (!isErased) await write();
  await erasure;
}

it('lets the WAL start over under load instead of growing', async () => {
  const { write, walBytes, seen } = await setUp(mib);
  let written = 0;
  // However much the machine writes before the first look.
  const until = performance.now() + 30_000;
  while (written < 3 * walBytes() && performance.now() < until) {
    await write();
    written += 64 * kib;
  }
  expect(written).toBeGreaterThanOrEqual(3 * walBytes());
  expect(seen.resumes).toBeGreaterThan(0);
});

it('leaves nothing in the WAL when it is truncated', async () => {
  const { database, write, checkpointer, walBytes } = await setUp(mib);
  await write();
  expect(walBytes()).toBeGreaterThan(0);
  await checkpointer.eraseWal();
  expect(walBytes()).toBe(0);
  await write(10, 2);
  expect(database.prepare('SELECT count(*) FROM blobs').pluck().get()).toBe(2);
});

it('truncates also when asked while it checkpoints for another reason', async () => {
  const { write, checkpointer, walBytes } = await setUp(1);
  await write();
  while (!checkpointer.isPaused) await nextTurn();
  await checkpointer.eraseWal();
  expect(walBytes()).toBe(0);
});

it('answers all who ask for a truncation at once', async () => {
  const { write, checkpointer, walBytes } = await setUp(mib);
  await write();
  await Promise.all([checkpointer.eraseWal(), checkpointer.eraseWal(), checkpointer.eraseWal()]);
  expect(walBytes()).toBe(0);
});

it('waits for a reader before it truncates, while the writer goes on', async () => {
  const { file, write, checkpointer, walBytes, seen } = await setUp(mib);
  await write();
  const reader = openDatabase(file);
  reader.exec('BEGIN; SELECT * FROM blobs');
  await write();
  let isTruncated = false;
  const truncation = checkpointer.eraseWal().then(() => {
    isTruncated = true;
  });
  while (seen.resumes === 0) await nextTurn();
  await write();
  expect(isTruncated).toBe(false);
  reader.exec('COMMIT');
  reader.close();
  await truncation;
  expect(walBytes()).toBe(0);
});

it(
  'cuts nothing off under load, when what has to go is soon written over',
  { timeout: 240_000 },
  async () => {
    // However slow the disk, it is not given up.
    const { file, database, write, checkpointer, walBytes } = await setUp(16 * mib, Infinity);
    const secret = Buffer.from('a key that was destroyed, a key that was destroyed');
    const writeSome = async (): Promise<void> => {
      await write(16 * kib);
      // Held back, so that no disk is too fast for rounds of one length.
      await delay(2);
    };
    const startedAt = performance.now();
    // Until the pace is known.
    while (performance.now() - startedAt < 2500) await writeSome();
    destroy(database, secret);
    await write();
    expect(readFileSync(`${file}-wal`).includes(secret)).toBe(true);
    let least = Infinity;
    await eraseUnder(checkpointer, () => {
      least = Math.min(least, walBytes());
      return writeSome();
    });
    expect(least).toBeGreaterThan(mib);
    expect(readFileSync(`${file}-wal`).includes(secret)).toBe(false);
  },
);

it(
  'has what was destroyed nowhere in the WAL when it says so, though the WAL started anew just before',
  { timeout: 240_000 },
  async () => {
    const { file, database, write, checkpointer, seen } = await setUp(4 * mib, Infinity);
    for (let round = 0; round < 10; round++) {
      const secret = Buffer.from(`secret ${String(round)}, secret ${String(round)}`);
      const resumes = seen.resumes;
      while (seen.resumes === resumes) await write(16 * kib);
      destroy(database, secret);
      await write(16 * kib);
      await eraseUnder(checkpointer, () => write(16 * kib));
      expect(readFileSync(`${file}-wal`).includes(secret), `round ${String(round)}`).toBe(false);
    }
  },
);

it('rejects a truncation that closing overtakes', async () => {
  const { write, checkpointer } = await setUp(mib);
  await write();
  const truncation = checkpointer.eraseWal();
  const closed = checkpointer.close();
  await expect(truncation).rejects.toThrow('Closed');
  await closed;
});

it('tells when a checkpoint fails', async () => {
  const file = join(await createFolder(), 'mayfly.db');
  writeFileSync(file, 'this is no database, and long enough to be looked at as one'.repeat(100));
  const descriptor = openSync(file, 'r');
  let checkpointer: Checkpointer | undefined;
  const error = await new Promise<Error>((resolve) => {
    checkpointer = new Checkpointer({
      file,
      descriptor,
      pageBytes: 4096,
      walBoundBytes: mib,
      hasOldWal: true,
      onResume: () => undefined,
      onBroken: resolve,
    });
    checkpointer.eraseWal().catch((reason: unknown) => {
      expect(reason).toBeInstanceOf(Error);
    });
  });
  expect(error.message).toContain('not a database');
  expect(error).toMatchObject({ code: 'SQLITE_NOTADB' });
  await checkpointer?.close();
  closeSync(descriptor);
});
