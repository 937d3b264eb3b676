// Copies the database through the writer's own connection in steps of less than a millisecond: changes committed
// meanwhile go to the copy too, no read transaction outlives a step, and checkpoints continue
// (https://www.sqlite.org/c3ref/backup_finish.html).

import { rmSync } from 'node:fs';
import { type FileHandle, open, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';

import { codeOf } from '../../system-errors/src/error-code.ts';
import type { Database } from './driver.ts';

const pagesAtOnce = 64;
/** The interval between steps, so that the copy takes about a fifth of the thread's time, at most 60 MB/s. */
const stepEveryMs = 4;
/** Synced off the thread this often, to leave little for the final sync, which blocks it. */
const syncEveryBytes = 8 * 1024 * 1024;
/** Bytes to leave free on the disk. */
const spareBytes = 64 * 1024 * 1024;

/** The caller renames or opens the copy at once. One left behind would take the disk's space. */
const defaultKeptMs = 20_000;

/** Removes copies left behind by killed processes, including those being restored. */
export function removeLeftCopies(file: string): void {
  removeAll(copyOf(file));
  removeAll(`${file}.restoring`);
}

function removeAll(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
}

/** There is no room, or a copy is being made; `message` is for the operator. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

export interface LiveCopy {
  /**
   * Copies everything committed up to some moment between the call and its end to one new file beside the database.
   * Resolves with its absolute path when it is on disk. @throws CopyRefused
   */
  make(): Promise<{ readonly file: string; readonly bytes: number }>;
  /** Removes a copy that was not collected in time. Call it often. */
  readonly removeStale: () => void;
}

/** @param keptMs how long a copy waits to be collected */
export function createLiveCopy(database: Database.Database, file: string, keptMs = defaultKeptMs): LiveCopy {
  let isCopying = false;
  let madeAt: number | undefined;
  return {
    removeStale: () => {
      if (madeAt === undefined || performance.now() - madeAt < keptMs) return;
      removeAll(copyOf(file));
      madeAt = undefined;
    },
    make: async () => {
      if (isCopying) throw new CopyRefused('Another backup is in progress.');
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
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

async function copyTo(database: Database.Database, target: string): Promise<{ file: string; bytes: number }> {
  const pageBytes = database.pragma('page_size', { simple: true }) as number;
  const syncer = createSyncer(target);
  let nextAt = 0;
  try {
    const { totalPages } = await database.backup(target, {
      // Called in every turn of the event loop; copies nothing while it returns 0.
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
  /** Reports the total bytes written so far. */
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
