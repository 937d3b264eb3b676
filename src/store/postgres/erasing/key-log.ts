// Erases destroyed keys from PostgreSQL's log by switching to a new segment, so that a checkpoint frees the earlier
// ones. The database records the position up to which the log may contain keys, until its last checkpoint is past that.
// Called by KeyScrubber.

import type pg from 'pg';

const insufficientPrivilege = '42501';

/** A position beyond the log's end is from another server: the database was restored from a backup. */
const readOwed = `SELECT log_until::text AS until,
    log_until > pg_current_wal_insert_lsn()
      OR pg_walfile_name((SELECT redo_lsn FROM pg_control_checkpoint())) > pg_walfile_name(log_until) AS is_gone
  FROM mayfly.key_scrubbing WHERE log_until IS NOT NULL`;

export class KeyLog {
  readonly #onWarning: (warning: string) => void;
  #isRefused = false;

  constructor(onWarning: (warning: string) => void) {
    this.#onWarning = onWarning;
  }

  /** Returns false when the log may still hold keys that have left the files, although the user has the privilege. */
  async erase(client: pg.Client): Promise<boolean> {
    if (await this.#isGone(client)) return true;
    // The server's own checkpoints do the same eventually.
    if (this.#isRefused) return true;
    for (const statement of ['SELECT pg_switch_wal()', 'CHECKPOINT']) {
      if (!(await this.#try(client, statement))) return true;
    }
    return this.#isGone(client);
  }

  async #isGone(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<{ until: string; is_gone: boolean }>(readOwed);
    const [owed] = rows;
    if (!owed) return true;
    if (!owed.is_gone) return false;
    await client.query('UPDATE mayfly.key_scrubbing SET log_until = NULL WHERE log_until = $1::pg_lsn', [
      owed.until,
    ]);
    return true;
  }

  async #try(client: pg.Client, statement: string): Promise<boolean> {
    try {
      await client.query(statement);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error;
      this.#isRefused = true;
      this.#onWarning(`The database's user may not run ${statement}: destroyed keys stay in its log longer.`);
      return false;
    }
  }
}
