// The thread that moves committed pages from the WAL to the database file, on its own connection, so that the writer
// never waits. In PASSIVE mode SQLite does not sync the database file; this thread does, which keeps the final pause
// short. Driven by checkpointer.ts. Plain JavaScript, because tests run it unbuilt.

import { fdatasyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import { Database } from './driver.mjs';
/** @type {Database.Database | undefined} */
let database;

function open() {
  const opened = new Database(workerData.file);
  opened.pragma('synchronous = FULL');
  opened.pragma('busy_timeout = 0');
  // Also opens the log and its index.
  opened.pragma('schema_version');
  return opened;
}

// At once: when descriptors run short nothing more can be opened, not even the module. A failure is retried, and
// reported, with the first checkpoint.
process.nextTick(() => {
  database = openIfPossible();
});

/** @returns {Database.Database | undefined} */
function openIfPossible() {
  try {
    return open();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function flush() {
  try {
    fdatasyncSync(workerData.descriptor);
  } catch (error) {
    // As serious as a failed sync in SQLite: the kernel may have dropped the pages.
    throw Object.assign(new Error('The database file cannot be synced.', { cause: error }), {
      code: 'SQLITE_IOERR_FSYNC',
    });
  }
}

parentPort?.on('message', ({ task, isBeside }) => {
  if (task === 'close') {
    database?.close();
    parentPort?.close();
    return;
  }
  try {
    database ??= open();
    const [result] = /** @type {{ log: number }[]} */ (database.pragma('wal_checkpoint(PASSIVE)'));
    if (isBeside) flush();
    parentPort?.postMessage({ frames: result?.log });
  } catch (error) {
    // A SqliteError loses its message in the transfer.
    const { code, message } = /** @type {{ code: string, message: string }} */ (error);
    parentPort?.postMessage({ failure: { code, message } });
  }
});
