// Takes destroyed data keys out of what PostgreSQL keeps behind: the tables' files (key-files.ts) and the log (key-log.ts).
// What is owed is written in the database with each destruction, and how far it is paid too, so that whichever node
// sweeps goes on where another stopped. Nothing waits for it for longer than a tenth of a second. What has been archived
// or sent to replicas is beyond its reach (docs/postgres.md). Owned by PostgresMailStore.

import type pg from 'pg';

import { withConnection } from './connections.ts';
import { asCallersError } from './database-fault.ts';
import { emptyNext } from './key-files.ts';
import { KeyLog } from './key-log.ts';

export interface KeyScrubberOptions {
  /** A connection of its own; not through a pooler. */
  readonly url: string;
  /** Rids every file of destroyed keys; by default those of the database itself. */
  readonly clean?: (client: pg.Client) => Promise<boolean>;
  /** Something that the operator should know, in one line; each once. */
  readonly onWarning: (warning: string) => void;
}

/** Keys may be destroyed while one file is emptied, or a broken-off run may have left copies: at most so many files a run. */
const filesAtOnce = 4;
/** Runs in a row that came to nothing, at two a minute, before the operator is told. */
const hinderedMax = 20;

export class KeyScrubber {
  readonly #options: KeyScrubberOptions;
  readonly #log: KeyLog;
  #hindered = 0;
  #scrubbing: Promise<unknown> = Promise.resolve();

  constructor(options: KeyScrubberOptions) {
    this.#options = options;
    this.#log = new KeyLog(options.onWarning);
  }

  /**
   * True when no key destroyed before is left, as far as the database's user may see to it. False when a transaction that
   * is open, such as a backup's, holds it up: then it is to be tried again.
   */
  scrub(): Promise<boolean> {
    const before = this.#scrubbing;
    // The failure of the one before has been told to who asked for that.
    const scrubbing = Promise.allSettled([before]).then(() => this.#run());
    this.#scrubbing = scrubbing;
    return scrubbing;
  }

  async #run(): Promise<boolean> {
    const isDone = await asCallersError(
      withConnection(this.#options.url, async (client) => {
        // Goes with the connection. Another node that has it does the same.
        const { rows } = await client.query<{ is_ours: boolean }>(
          'SELECT pg_try_advisory_lock(1296123462, 5) AS is_ours',
        );
        const { clean = (one: pg.Client) => this.#clean(one) } = this.#options;
        return rows[0]?.is_ours === true && (await clean(client));
      }),
    );
    this.#count(isDone);
    return isDone;
  }

  async #clean(client: pg.Client): Promise<boolean> {
    let isEmptied = true;
    for (let count = 0; count < filesAtOnce; count++) {
      const outcome = await emptyNext(client);
      isEmptied = outcome !== 'hindered';
      if (outcome !== 'emptied') break;
    }
    // What has left the files already shall leave the log as well.
    return (await this.#log.erase(client)) && isEmptied;
  }

  #count(isDone: boolean): void {
    this.#hindered = isDone ? 0 : this.#hindered + 1;
    if (this.#hindered !== hinderedMax) return;
    this.#options.onWarning(
      'Destroyed keys are still on the database’s disk, since a transaction there has been open for long (see pg_stat_activity).',
    );
  }
}
