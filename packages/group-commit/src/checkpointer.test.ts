import { closeSync, openSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { Checkpointer } from './checkpointer.ts';
import { GroupCommit } from './group-commit.ts';
import { openDatabase } from './open-database.ts';
import { WalSync } from './writer.ts';
import { noObserver } from '../../../src/store/store-observer.ts';

const faults = { isRefused: () => false, toCallersError: (error: unknown) => error };
const kib = 1024;
const mib = 1024 * kib;

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-wal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function setUp(walBoundBytes: number) {
  const file = join(await createFolder(), 'mayfly.db');
  const database = openDatabase(file);
  database.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, data BLOB)');
  const seen = { resumes: 0, broken: [] as Error[] };
  const descriptor = openSync(file, 'r');
  const checkpointer = new Checkpointer({
    observer: noObserver,
    file,
    descriptor,
    syncing: 'commits',
    pageBytes: database.pragma('page_size', { simple: true }) as number,
    walBoundBytes,
    faults,
    onResume: () => {
      seen.resumes += 1;
      commits.flush();
    },
    onBroken: (error) => seen.broken.push(error),
  });
  const wal = new WalSync(file);
  const commits = new GroupCommit({
    observer: noObserver,
    progress: { current: 1, synced: 0 },
    sync: (callback) => {
      wal.sync(callback);
    },
    onRollback: () => undefined,
    database,
    faults,
    onBroken: (error) => seen.broken.push(error),
    afterCommit: () => {
      checkpointer.recordCommit();
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

it('lets the writer go on while a reader keeps the WAL from starting over', async () => {
  const { file, write, walBytes, seen } = await setUp(mib);
  await write();
  const reader = openDatabase(file);
  reader.exec('BEGIN; SELECT * FROM blobs');
  while (seen.resumes < 2) await write();
  expect(walBytes()).toBeGreaterThan(mib);
  reader.exec('COMMIT');
  reader.close();
  const before = walBytes();
  const resumes = seen.resumes;
  while (seen.resumes < resumes + 3) await write();
  expect(walBytes()).toBeLessThan(3 * before);
});

it('tells when a checkpoint fails', async () => {
  const file = join(await createFolder(), 'mayfly.db');
  writeFileSync(file, 'this is no database, and long enough to be looked at as one'.repeat(100));
  const descriptor = openSync(file, 'r');
  let checkpointer: Checkpointer | undefined;
  const error = await new Promise<Error>((resolve) => {
    checkpointer = new Checkpointer({
      observer: noObserver,
      file,
      descriptor,
      syncing: 'commits',
      pageBytes: 4096,
      walBoundBytes: mib,
      faults,
      onResume: () => undefined,
      onBroken: resolve,
    });
    checkpointer.recordCommit();
  });
  expect(error.message).toContain('not a database');
  expect(error).toMatchObject({ code: 'SQLITE_NOTADB' });
  await checkpointer?.close();
  closeSync(descriptor);
});
