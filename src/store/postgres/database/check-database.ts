// Checks whether a database is fit for use and for serving, before open-postgres-store.ts or copy-target.ts opens it.

import type pg from 'pg';

/** The database is unfit. `message` is one line for the operator. */
export class UnfitDatabaseError extends Error {
  override readonly name = 'UnfitDatabaseError';
}

const oldestVersion = 140_000;

/** Returns what the operator should correct, in one line. @throws UnfitDatabaseError */
export async function checkDatabase(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ version: number; commit: string; fsync: string; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('synchronous_commit') AS commit,
       current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding`,
  );
  const [found] = rows;
  if (!found) throw new Error('The database returned no settings.');
  if (found.version < oldestVersion) throw new UnfitDatabaseError('PostgreSQL 14 or newer is needed.');
  if (found.encoding !== 'UTF8') throw new UnfitDatabaseError('The database must have the encoding UTF8.');
  if (found.commit === 'off') {
    throw new UnfitDatabaseError(
      'synchronous_commit is off: mail that was acknowledged would be lost in a crash.',
    );
  }
  return found.fsync === 'off'
    ? 'fsync is off: a power cut loses mail and may ruin the database.'
    : undefined;
}

/** Call it once the schema is up to date. @throws UnfitDatabaseError when `mayfly copy` has not finished */
export async function refuseUnfinishedCopy(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM mayfly.copies WHERE finished_at IS NULL');
  if (rows.length === 0) return;
  throw new UnfitDatabaseError('A copy into the database is not finished: run `mayfly copy` again first.');
}
