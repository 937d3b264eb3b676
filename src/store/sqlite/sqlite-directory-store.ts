// DirectoryStore on SQLite. Domains are few and asked for with every recipient, so they are answered from memory,
// which only this process writes.

import type Database from 'better-sqlite3';

import type { DirectoryStore, Domain, DomainChanges } from '../directory-store.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SessionRows } from './session-rows.ts';

interface DomainRow {
  id: number;
  name: string;
  is_active: number;
  quarantine_ms: number;
  refuses_dmarc_reject: number;
  discards_unknown: number;
}

function toDomain(row: DomainRow): Domain {
  return {
    id: row.id,
    name: row.name,
    isActive: row.is_active === 1,
    quarantineMs: row.quarantine_ms,
    refusesDmarcReject: row.refuses_dmarc_reject === 1,
    discardsUnknown: row.discards_unknown === 1,
  };
}

export interface SqliteDirectoryStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly clock: () => number;
}

export class SqliteDirectoryStore implements DirectoryStore {
  readonly #options: SqliteDirectoryStoreOptions;
  readonly #sessions: SessionRows;
  readonly #select;
  /** Not frozen: arrays that are have no fast `find` and `filter` in Node 20, and every message asks twice. */
  #domains: Promise<readonly Domain[]> | undefined;

  constructor(options: SqliteDirectoryStoreOptions) {
    this.#options = options;
    this.#sessions = options.sessions;
    this.#select = options.database.prepare<[], DomainRow>('SELECT * FROM domains ORDER BY id');
  }

  listDomains(): Promise<readonly Domain[]> {
    this.#domains ??= Promise.resolve(this.#select.all().map(toDomain));
    return this.#domains;
  }

  async addDomain(name: string, quarantineMs: number | undefined, fallbackMs: number): Promise<Domain> {
    await this.#change(() =>
      this.#options.database
        .prepare(
          `INSERT INTO domains (name, is_active, quarantine_ms) VALUES (?, 1, ?)
           ON CONFLICT (name) DO UPDATE SET is_active = 1, quarantine_ms = coalesce(?, quarantine_ms)`,
        )
        .run(name, quarantineMs ?? fallbackMs, quarantineMs ?? null),
    );
    const added = await this.#find(name);
    if (!added) throw new Error('The domain just added is gone.');
    return added;
  }

  async changeDomain(name: string, changes: DomainChanges): Promise<Domain | undefined> {
    const values = [changes.refusesDmarcReject, changes.discardsUnknown];
    if (values.some((value) => value !== undefined)) {
      const toColumn = (value: boolean | undefined): number | null =>
        value === undefined ? null : Number(value);
      await this.#change(() =>
        this.#options.database
          .prepare(
            `UPDATE domains SET refuses_dmarc_reject = coalesce(?, refuses_dmarc_reject),
               discards_unknown = coalesce(?, discards_unknown) WHERE name = ?`,
          )
          .run(...values.map(toColumn), name),
      );
    }
    return this.#find(name);
  }

  async disableDomain(name: string): Promise<Domain | undefined> {
    await this.#change(() =>
      this.#options.database.prepare('UPDATE domains SET is_active = 0 WHERE name = ?').run(name),
    );
    return this.#find(name);
  }

  async removeDomain(name: string): Promise<number | undefined> {
    return this.#change(() => {
      const removed = this.#options.database.prepare('DELETE FROM domains WHERE name = ?').run(name);
      if (removed.changes === 0) return undefined;
      const live = this.#sessions.listLiveOfDomain(name);
      for (const row of live) this.#sessions.end(row, this.#options.clock());
      return live.length;
    });
  }

  async keepLastMail(lastMailAt: ReadonlyMap<string, number>): Promise<void> {
    await this.#options.commits.write(() => {
      const keep = this.#options.database.prepare(
        'UPDATE domains SET last_mail_at = max(coalesce(last_mail_at, 0), ?) WHERE name = ?',
      );
      for (const [name, at] of lastMailAt) keep.run(at, name);
    });
  }

  listLastMail(): Promise<ReadonlyMap<string, number>> {
    const rows = this.#options.database
      .prepare<[], [string, number]>('SELECT name, last_mail_at FROM domains WHERE last_mail_at IS NOT NULL')
      .raw()
      .all();
    return Promise.resolve(new Map(rows));
  }

  hasEverHadDomain(): Promise<boolean> {
    const sequence = this.#options.database
      .prepare("SELECT seq FROM sqlite_sequence WHERE name = 'domains'")
      .pluck()
      .get();
    return Promise.resolve(sequence !== undefined);
  }

  async #find(name: string): Promise<Domain | undefined> {
    return (await this.listDomains()).find((domain) => domain.name === name);
  }

  async #change<T>(work: () => T): Promise<T> {
    const result = await this.#options.commits.write(work);
    this.#domains = undefined;
    return result;
  }
}
