// One process owns a data folder. Node has no flock, so the lock is SQLite's own on a file beside the store: the
// kernel releases it with the process, however that ends. Taken by app.ts before anything else is opened.

import { join } from 'node:path';

import Database from 'better-sqlite3';

export interface DataFolderLock {
  release(): void;
}

/** In the data folder. */
export const lockName = 'mayfly.lock';

/** Undefined when another process holds it. */
export function acquireDataFolderLock(dataDir: string): DataFolderLock | undefined {
  return acquireLock(join(dataDir, lockName));
}

/** `file` is made when absent. Undefined when another process holds it. */
export function acquireLock(file: string): DataFolderLock | undefined {
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return {
    release: () => {
      if (database.open) database.close();
    },
  };
}
