// DirectoryStore over SQL. Domains are few and needed for every recipient, so they are answered from memory.

import { demoDomain } from '../../domain/addresses/special-domain.ts';
import type { DirectoryStore, Domain, DomainChanges } from '../directory-store.ts';
import type { Sql, Statement, Values } from './sql.ts';

export interface SqlDirectoryStoreOptions {
  readonly sql: Sql;
  /** How far answers may lag behind changes by other nodes; Infinity where there are no other nodes. */
  readonly believedMs: number;
  /** Ends the live sessions of the domain and wakes their readers; resolves with how many. */
  readonly endSessionsOf: (domain: string) => Promise<number>;
}

/** How long earlier answers may bridge an outage. */
const fallbackMs = 60_000;

interface DomainRow {
  readonly id: number;
  readonly name: string;
  readonly is_active: boolean | number;
  readonly quarantine_ms: number;
  readonly refuses_dmarc_reject: boolean | number;
  readonly discards_unknown: boolean | number;
  readonly takes_plus_tags: boolean | number;
}

const list: Statement = {
  name: 'list_domains',
  text: `SELECT id, name, is_active, quarantine_ms, refuses_dmarc_reject, discards_unknown, takes_plus_tags
    FROM mayfly.domains ORDER BY id`,
};
const add: Statement = {
  name: 'add_domain',
  text: `INSERT INTO mayfly.domains AS d (name, is_active, quarantine_ms) VALUES (:name, true, :initialMs)
    ON CONFLICT (name) DO UPDATE SET is_active = true, quarantine_ms = coalesce(:quarantineMs, d.quarantine_ms)`,
};
const setPolicy: Statement = {
  name: 'set_policy',
  text: `UPDATE mayfly.domains SET refuses_dmarc_reject = coalesce(:refusesDmarcReject, refuses_dmarc_reject),
      discards_unknown = coalesce(:discardsUnknown, discards_unknown),
      takes_plus_tags = coalesce(:takesPlusTags, takes_plus_tags)
    WHERE name = :name`,
};
const disable: Statement = {
  name: 'disable_domain',
  text: 'UPDATE mayfly.domains SET is_active = false WHERE name = :name',
};
const remove: Statement = {
  name: 'remove_domain',
  text: 'DELETE FROM mayfly.domains WHERE name = :name RETURNING id',
};
const keepLastMail: Statement = {
  name: 'keep_last_mail',
  text: `UPDATE mayfly.domains SET last_mail_at = CASE WHEN last_mail_at > :at THEN last_mail_at ELSE :at END
    WHERE name = :name`,
};
const listLastMail: Statement = {
  name: 'list_last_mail',
  text: 'SELECT name, last_mail_at FROM mayfly.domains WHERE last_mail_at IS NOT NULL',
};

export class SqlDirectoryStore implements DirectoryStore {
  readonly #options: SqlDirectoryStoreOptions;
  readonly #sql: Sql;
  readonly #hasEverHad: Statement;
  /** Not frozen: frozen arrays have no fast `find` and `filter` in Node 20, and every message needs both. */
  #domains: readonly Domain[] = [];
  /** One promise for all callers, since every recipient needs it. */
  #answer: Promise<readonly Domain[]> = Promise.resolve(this.#domains);
  #readAt = -Infinity;
  #reading: Promise<readonly Domain[]> | undefined;

  constructor(options: SqlDirectoryStoreOptions) {
    this.#options = options;
    this.#sql = options.sql;
    this.#hasEverHad = { name: 'has_ever_had_domain', text: options.sql.syntax.hasEverHadDomain };
  }

  listDomains(): Promise<readonly Domain[]> {
    if (performance.now() - this.#readAt < this.#options.believedMs) return this.#answer;
    return (this.#reading ??= this.#read());
  }

  async #read(): Promise<readonly Domain[]> {
    const askedAt = performance.now();
    try {
      const domains = (await this.#sql.all<DomainRow>(list)).map(toDomain);
      this.#domains = domains;
      this.#answer = Promise.resolve(domains);
      this.#readAt = askedAt;
      return domains;
    } catch (error) {
      if (askedAt - this.#readAt < fallbackMs) return this.#domains;
      throw error;
    } finally {
      this.#reading = undefined;
    }
  }

  async addDomain(name: string, quarantineMs: number | undefined, fallbackMs: number): Promise<Domain> {
    const initialMs = quarantineMs ?? fallbackMs;
    await this.#change(add, { name, initialMs, quarantineMs: quarantineMs ?? null });
    const added = await this.#find(name);
    if (!added) throw new Error('The domain just added is gone.');
    return added;
  }

  async changeDomain(name: string, changes: DomainChanges): Promise<Domain | undefined> {
    const { refusesDmarcReject = null, discardsUnknown = null, takesPlusTags = null } = changes;
    await this.#change(setPolicy, { name, refusesDmarcReject, discardsUnknown, takesPlusTags });
    return this.#find(name);
  }

  async disableDomain(name: string): Promise<Domain | undefined> {
    await this.#change(disable, { name });
    return this.#find(name);
  }

  async removeDomain(name: string): Promise<number | undefined> {
    // Sessions first: a crash then leaves a domain that can be removed again, not sessions without one.
    const ended = await this.#options.endSessionsOf(name);
    const removed = await this.#change(remove, { name });
    if (removed.length === 0) return undefined;
    // Includes sessions created in between.
    return ended + (await this.#options.endSessionsOf(name));
  }

  async keepLastMail(lastMailAt: ReadonlyMap<string, number>): Promise<void> {
    await this.#sql.runEach(
      keepLastMail,
      [...lastMailAt].map(([name, at]) => ({ name, at })),
    );
  }

  async listLastMail(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sql.all<{ name: string; last_mail_at: number }>(listLastMail);
    return new Map(rows.map((row) => [row.name, row.last_mail_at]));
  }

  async hasEverHadDomain(): Promise<boolean> {
    const row = await this.#sql.get<{ done: boolean | number }>(this.#hasEverHad);
    return Boolean(row?.done);
  }

  async #find(name: string): Promise<Domain | undefined> {
    return (await this.listDomains()).find((domain) => domain.name === name);
  }

  async #change(statement: Statement, values: Values): Promise<object[]> {
    const rows = await this.#sql.run(statement, values);
    // A read in progress may have missed the change.
    await Promise.allSettled([this.#reading]);
    this.#readAt = -Infinity;
    return rows;
  }
}

function toDomain(row: DomainRow): Domain {
  return {
    id: row.id,
    name: row.name,
    isActive: Boolean(row.is_active),
    // Ignores the value it was added with, so that the same address can be used again at once.
    quarantineMs: row.name === demoDomain ? 0 : row.quarantine_ms,
    refusesDmarcReject: Boolean(row.refuses_dmarc_reject),
    discardsUnknown: Boolean(row.discards_unknown),
    takesPlusTags: Boolean(row.takes_plus_tags),
  };
}
