// Takes destroyed data keys out of what PostgreSQL keeps behind: the table's pages, by writing it anew, and the log,
// by a checkpoint after which old segments go. What has been archived or sent to replicas is beyond its reach
// (docs/postgres.md). Owned by PostgresMailStore.

import type pg from 'pg';

import { withConnection } from './connections.ts';
import { asCallersError } from './database-fault.ts';

export interface KeyScrubberOptions {
  /** A connection of its own; not through a pooler. */
  readonly url: string;
  /** Called once for each thing that the database's user may not do. */
  readonly onRefused: (what: string) => void;
}

/** Beyond this, writing the table anew would stop readers for too long: its pages are then only freed for reuse. */
const rewriteMaxBytes = 64 * 1024 * 1024;
const insufficientPrivilege = '42501';

export class KeyScrubber {
  readonly #options: KeyScrubberOptions;
  readonly #refused = new Set<string>();
  /** True at the start, since nobody knows. */
  #hasDestroyed = true;
  #scrubbing: Promise<void> = Promise.resolve();

  constructor(options: KeyScrubberOptions) {
    this.#options = options;
  }

  noteDestroyed(): void {
    this.#hasDestroyed = true;
  }

  /** Resolves when no key destroyed before is left, as far as the database's user may see to it. */
  scrub(): Promise<void> {
    const before = this.#scrubbing;
    // Whoever asked for the one before has heard of its failure.
    this.#scrubbing = Promise.allSettled([before]).then(() => this.#run());
    return this.#scrubbing;
  }

  async #run(): Promise<void> {
    if (!this.#hasDestroyed) return;
    this.#hasDestroyed = false;
    try {
      await asCallersError(withConnection(this.#options.url, (client) => this.#clean(client)));
    } catch (error) {
      this.#hasDestroyed = true;
      throw error;
    }
  }

  async #clean(client: pg.Client): Promise<void> {
    await client.query("SET lock_timeout = '5s'");
    const { rows } = await client.query<{ bytes: number }>(
      "SELECT pg_relation_size('mayfly.data_keys') AS bytes",
    );
    const isSmall = (rows[0]?.bytes ?? 0) <= rewriteMaxBytes;
    await client.query(`VACUUM ${isSmall ? '(FULL)' : ''} mayfly.data_keys`);
    const hasSwitched = await this.#try(client, 'SELECT pg_switch_wal()');
    if (hasSwitched) await this.#try(client, 'CHECKPOINT');
  }

  async #try(client: pg.Client, statement: string): Promise<boolean> {
    try {
      await client.query(statement);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error;
      if (!this.#refused.has(statement)) this.#options.onRefused(statement);
      this.#refused.add(statement);
      return false;
    }
  }
}
