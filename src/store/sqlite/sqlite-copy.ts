// Copies the database through the writer's own connection, in steps of under a millisecond: whatever is committed
// meanwhile is written to the copy too, no read transaction outlives a step, and checkpoints go on beside it
// (https://www.sqlite.org/c3ref/backup_finish.html). Made by open-sqlite-store.ts.

import { rmSync } from 'node:fs';
import { type FileHandle, open, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';

import type Database from 'better-sqlite3';

import { CopyRefused, type StoreCopy } from '../store-copy.ts';

const pagesAtOnce = 64;
/** Between steps: the copy takes about a fifth of the thread, and 60 MB/s at most. */
const stepEveryMs = 4;
/** Written to disk beside the thread so often, so that the last sync, which holds it up, finds little to do. */
const syncEveryBytes = 8 * 1024 * 1024;
/** Left free on the disk. */
const spareBytes = 64 * 1024 * 1024;

/** Whoever asked for the copy renames it at once, or has it open by then. What is left holds keys that are destroyed. */
const defaultKeptMs = 20_000;

/** What processes that were killed left behind holds keys that may have been destroyed since: copies, and restored ones. */
export function removeLeftCopies(file: string): void {
  removeAll(copyOf(file));
  removeAll(`${file}.restoring`);
}

function removeAll(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
}

export interface SqliteCopy extends StoreCopy {
  /** Removes a copy that was not taken away in time. To be called often. */
  readonly removeStale: () => void;
}

/** @param keptMs how long a copy waits to be taken away */
export function createSqliteCopy(
  database: Database.Database,
  file: string,
  keptMs = defaultKeptMs,
): SqliteCopy {
  let isCopying = false;
  let madeAt: number | undefined;
  return {
    removeStale: () => {
      if (madeAt === undefined || performance.now() - madeAt < keptMs) return;
      removeAll(copyOf(file));
      madeAt = undefined;
    },
    make: async () => {
      if (isCopying) throw new CopyRefused('A backup is being made already.');
      isCopying = true;
      try {
        await checkRoom(file);
        removeAll(copyOf(file));
        madeAt = undefined;
        const made = await copyTo(database, copyOf(file));
        madeAt = performance.now();
        return made;
      } catch (error) {
        removeAll(copyOf(file));
        throw error;
      } finally {
        isCopying = false;
      }
    },
  };
}

function copyOf(file: string): string {
  return `${file}.copy`;
}

async function checkRoom(file: string): Promise<void> {
  const { bavail, bsize } = await statfs(file);
  const neededBytes = (await sizeOf(file)) + (await sizeOf(`${file}-wal`)) + spareBytes;
  if (bavail * bsize >= neededBytes) return;
  const missing = Math.ceil((neededBytes - bavail * bsize) / 1e6);
  throw new CopyRefused(`A copy of the store needs ${missing} MB more on the disk of the data folder.`);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return 0;
    throw error;
  }
}

async function copyTo(database: Database.Database, target: string): Promise<{ file: string; bytes: number }> {
  const pageBytes = database.pragma('page_size', { simple: true }) as number;
  const syncer = createSyncer(target);
  let nextAt = 0;
  try {
    const { totalPages } = await database.backup(target, {
      // Asked again in every turn of the loop, with nothing copied as long as the answer is 0.
      progress: ({ totalPages: total, remainingPages }) => {
        const now = performance.now();
        syncer.note((total - remainingPages) * pageBytes);
        if (now < nextAt || syncer.isBusy()) return 0;
        nextAt = now + stepEveryMs;
        return pagesAtOnce;
      },
    });
    await syncer.finish();
    return { file: resolve(target), bytes: totalPages * pageBytes };
  } finally {
    await syncer.close();
  }
}

interface Syncer {
  /** So many bytes have been written in all. */
  note(bytes: number): void;
  isBusy(): boolean;
  /** Resolves when everything is on disk. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

function createSyncer(target: string): Syncer {
  let handle: FileHandle | undefined;
  let running: Promise<void> | undefined;
  let failure: unknown;
  let syncedBytes = 0;

  async function sync(): Promise<void> {
    handle ??= await open(target, 'r+');
    await handle.sync();
  }

  function start(): void {
    running = sync()
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => {
        running = undefined;
      });
  }

  return {
    note: (bytes) => {
      if (failure !== undefined) throw failure as Error;
      if (running || bytes - syncedBytes < syncEveryBytes) return;
      syncedBytes = bytes;
      start();
    },
    isBusy: () => running !== undefined,
    finish: async () => {
      await running;
      await sync();
      if (failure !== undefined) throw failure as Error;
    },
    close: async () => {
      await running;
      await handle?.close();
    },
  };
}
