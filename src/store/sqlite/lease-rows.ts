// Leases in SQLite. Taking, releasing and checking run inside the writer's transactions, so that what a job writes is
// fenced by the same commit. Used by SqliteLeaseStore and by the stores whose writes need a lease.

import type Database from 'better-sqlite3';

import type { Lease } from '../lease-store.ts';

interface LeaseRow {
  readonly holder: string;
  readonly epoch: number;
  readonly until: number;
}

export class LeaseRows {
  readonly #find;
  readonly #keep;
  readonly #release;

  constructor(database: Database.Database) {
    this.#find = database.prepare<[string], LeaseRow>(
      'SELECT holder, epoch, until FROM leases WHERE name = ?',
    );
    this.#keep = database.prepare<[string, string, number, number]>(
      'INSERT OR REPLACE INTO leases (name, holder, epoch, until) VALUES (?, ?, ?, ?)',
    );
    this.#release = database.prepare<[string, string, number]>(
      "UPDATE leases SET holder = '', until = 0 WHERE name = ? AND holder = ? AND epoch = ?",
    );
  }

  /** Runs in a transaction. */
  take({ name, holder }: Pick<Lease, 'name' | 'holder'>, now: number, leaseMs: number): Lease | undefined {
    const row = this.#find.get(name);
    const isOwn = row?.holder === holder;
    if (row && !isOwn && row.until > now) return undefined;
    const epoch = isOwn ? row.epoch : (row?.epoch ?? 0) + 1;
    this.#keep.run(name, holder, epoch, now + leaseMs);
    return { name, holder, epoch };
  }

  /** Runs in a transaction. */
  release({ name, holder, epoch }: Lease): void {
    this.#release.run(name, holder, epoch);
  }

  /** Whether nobody else has taken it; runs in the transaction of what it fences. */
  isHeld({ name, holder, epoch }: Lease): boolean {
    const row = this.#find.get(name);
    return row?.holder === holder && row.epoch === epoch;
  }
}
