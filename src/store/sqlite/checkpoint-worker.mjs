// The thread that moves committed pages from the WAL into the database file, with a connection of its own, so that
// the writer never waits for it. Beside the writer SQLite does not bring them to disk: that is done here, so that the
// pause at the end does not have it all to do. Driven by checkpointer.ts. Plain JavaScript: it runs unbuilt under tests too.

import { fdatasyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import Database from 'better-sqlite3';

/** @type {Database.Database | undefined} */
let database;

function open() {
  const opened = new Database(workerData.file);
  opened.pragma('synchronous = FULL');
  opened.pragma('busy_timeout = 0');
  // Opens the log and its index too.
  opened.pragma('schema_version');
  return opened;
}

// At once: when descriptors are short nothing more can be opened, the module itself included. What fails is tried
// again with the first checkpoint, which tells.
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
    // As bad as SQLite's own sync failing, whatever the reason: the kernel may have dropped the pages.
    throw Object.assign(new Error('The database file cannot be synced.', { cause: error }), {
      code: 'SQLITE_IOERR_FSYNC',
    });
  }
}

parentPort?.on('message', ({ mode, isBeside }) => {
  if (mode === 'close') {
    database?.close();
    parentPort?.close();
    return;
  }
  try {
    database ??= open();
    const [result] = /** @type {{ busy: number, log: number, checkpointed: number }[]} */ (
      database.pragma(`wal_checkpoint(${mode})`)
    );
    if (isBeside) flush();
    parentPort?.postMessage({ busy: result?.busy, frames: result?.log, moved: result?.checkpointed });
  } catch (error) {
    // A SqliteError loses its message on the way.
    const { code, message } = /** @type {{ code: string, message: string }} */ (error);
    parentPort?.postMessage({ failure: { code, message } });
  }
});
