// LeaseStore on the SQLite file. One process owns the file, so a lease is always had sooner or later; it is the same
// protocol as where many nodes share a store. Made by open-sqlite-store.ts.

import type Database from 'better-sqlite3';

import type { Lease, LeaseStore } from '../lease-store.ts';
import type { GroupCommit } from './group-commit.ts';
import { LeaseRows } from './lease-rows.ts';

export interface SqliteLeaseStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  /** Instant in ms since 1970. */
  readonly clock: () => number;
}

export class SqliteLeaseStore implements LeaseStore {
  readonly #commits: GroupCommit;
  readonly #clock: () => number;
  readonly #rows: LeaseRows;

  constructor({ database, commits, clock }: SqliteLeaseStoreOptions) {
    this.#commits = commits;
    this.#clock = clock;
    this.#rows = new LeaseRows(database);
  }

  takeLease(name: string, holder: string, leaseMs: number): Promise<Lease | undefined> {
    return this.#commits.write(() => this.#rows.take({ name, holder }, this.#clock(), leaseMs));
  }

  releaseLease(lease: Lease): Promise<void> {
    return this.#commits.write(() => {
      this.#rows.release(lease);
    });
  }
}
