// Ensures that one process owns a data folder. Node has no flock, so this uses SQLite's lock on a file beside the
// store, which the kernel releases with the process, however it ends. Acquired by app.ts before anything else is
// opened.

import { join } from 'node:path';

import { Database } from '#group-commit/driver';

import { codeOf } from '#system-errors/error-code';

export interface DataFolderLock {
  release(): void;
}

/** In the data folder. */
export const lockName = 'mayfly.lock';

/** Returns undefined when another process holds it. */
export function acquireDataFolderLock(dataDir: string): DataFolderLock | undefined {
  return acquireLock(join(dataDir, lockName));
}

/** Creates `file` if absent. Returns undefined when another process holds it. */
export function acquireLock(file: string): DataFolderLock | undefined {
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (codeOf(error) === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return {
    release: () => {
      if (database.open) database.close();
    },
  };
}
