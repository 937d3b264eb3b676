// Opens the writer's connection with the settings that durability and speed depend on.

import { Database } from './driver.mjs';
/**
 * Bytes of WAL after which the writer pauses for a checkpoint of the tail. Larger is faster, but costs disk and
 * recovery time.
 */
export const walBoundBytes = 128 * 1024 * 1024;
/**
 * Not larger: a commit that splits a page walks the whole cache (pcache1TruncateUnsafe, because the page number
 * borrowed for the split lies beyond all others), 4 µs a message with a cache of 48 MiB.
 */
const pageCacheKib = 16 * 1024;

const pragmas = [
  // Checkpoints run in their own thread (checkpointer.ts): in the writer they stall commits by 50 to 195 ms.
  'wal_autocheckpoint = 0',
  `cache_size = -${pageCacheKib}`,
  'temp_store = MEMORY',
  'busy_timeout = 5000',
  // Overwrites what is deleted from a page that is written anyway, such as a session's salt; no more, because what is
  // deleted is sealed.
  'secure_delete = FAST',
] as const;

/** Whether a commit is on disk before it is answered; with `never`, for data that ends with the process, no write is. */
export type Syncing = 'commits' | 'never';

export function openDatabase(file: string, syncing: Syncing = 'commits'): Database.Database {
  const database = new Database(file);
  // Before the log is made, which is synced otherwise.
  if (syncing === 'never') database.pragma('synchronous = OFF');
  // Must precede the first table, so that pages can be returned to the file system in steps.
  if (database.pragma('auto_vacuum', { simple: true }) !== 2) database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  for (const pragma of pragmas) database.pragma(pragma);
  // NORMAL alone would lose acknowledged messages in a power cut. It leaves the sync of each commit to us: the group
  // commit confirms nothing before that. SQLite still does the syncs needed to order WAL and file.
  if (syncing === 'commits') database.pragma('synchronous = NORMAL');
  return database;
}
