// Removes the traces of destroyed data keys from PostgreSQL's table files (key-files.ts) and log (key-log.ts). Each
// destruction records in the database what must be erased, and progress is recorded too, so that any sweeping node
// resumes where another stopped. It blocks nothing for longer than a tenth of a second. Archived and replicated logs
// are beyond its reach (docs/postgres.md). Owned by PostgresMailStore.

import type pg from 'pg';

import { tryLock } from '../database/advisory-lock.ts';
import { withConnection } from '../database/connections.ts';
import { asCallersError } from '../database/database-fault.ts';
import { emptyNext, scrubStatementMs } from './key-files.ts';
import { KeyLog } from './key-log.ts';

export interface KeyScrubberOptions {
  /** For a separate connection, not through a pooler. */
  readonly url: string;
  /** Purges destroyed keys from every file; by default those of the database itself. */
  readonly clean?: (client: pg.Client) => Promise<boolean>;
  /** Receives warnings for the operator, in one line, each once. */
  readonly onWarning: (warning: string) => void;
}

/** The most files emptied in a run: keys may be destroyed meanwhile, and an interrupted run may have left copies. */
const filesAtOnce = 4;
/** Consecutive fruitless runs, at two a minute, before the operator is warned. */
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
   * Returns true when no key destroyed earlier is left, as far as the database user's privileges reach. False when an
   * open transaction, such as a backup, prevents it; then try again.
   */
  scrub(): Promise<boolean> {
    const before = this.#scrubbing;
    // The previous run's failure was reported to its caller.
    const scrubbing = Promise.allSettled([before]).then(() => this.#run());
    this.#scrubbing = scrubbing;
    return scrubbing;
  }

  async #run(): Promise<boolean> {
    const isDone = await asCallersError(
      withConnection(
        this.#options.url,
        async (client) => {
          // Another node that has the lock does the same work.
          const { clean = (one: pg.Client) => this.#clean(one) } = this.#options;
          return (await tryLock(client, 'scrubKeys')) && (await clean(client));
        },
        scrubStatementMs,
      ),
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
    // This erases from the log those keys that have left the files already.
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
