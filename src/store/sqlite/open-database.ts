// Opens the writer's connection with the settings that durability and speed rest on. Called by SqliteStore alone.

import Database from 'better-sqlite3';

/**
 * Bytes of WAL after which the writer pauses for a checkpoint of the tail. Larger is faster and costs disk and
 * recovery time; the figures are in docs/adr/0003-sqlite-in-the-main-thread.md.
 */
export const walBoundBytes = 128 * 1024 * 1024;
/**
 * Not larger: a commit that has split a page walks the whole cache (pcache1TruncateUnsafe: the page number that a split
 * borrows lies past every other), 4 µs a message at 48 MiB.
 */
const pageCacheKib = 16 * 1024;

const pragmas = [
  // With NORMAL alone a power cut loses acknowledged messages. Here it means that SQLite leaves the sync of each commit
  // to us: the group commit answers nothing before it is done. What order between WAL and file needs, SQLite still
  // syncs itself.
  'synchronous = NORMAL',
  // Checkpoints run in a thread of their own (checkpointer.ts): in the writer they stall commits by 50 to 195 ms.
  'wal_autocheckpoint = 0',
  `cache_size = -${pageCacheKib}`,
  'temp_store = MEMORY',
  'busy_timeout = 5000',
  // Messages are sealed, and their keys are overwritten in place (key-slots.ts).
  'secure_delete = OFF',
] as const;

export function openDatabase(file: string): Database.Database {
  const database = new Database(file);
  // Must stand before the first table: pages can then be given back to the file system in steps.
  if (database.pragma('auto_vacuum', { simple: true }) !== 2) database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  for (const pragma of pragmas) database.pragma(pragma);
  return database;
}
