// DirectoryStore on PostgreSQL. Domains are few and asked for with every recipient, so they are remembered for a
// moment; another node's change is seen after it. Made by open-postgres-store.ts.

import type { DirectoryStore, Domain, DomainChanges } from '../directory-store.ts';
import type { Connections, Statement, Values } from './connections.ts';
import { asCallersError } from './database-fault.ts';

export interface PostgresDirectoryStoreOptions {
  readonly connections: Connections;
  /** Ends the live sessions whose address ends so, and tells of it; how many. */
  readonly endSessionsOf: (suffix: Uint8Array) => Promise<number>;
}

/** The most that a node's view is behind the others'. */
const believedMs = 1000;
/** After which an outage is no longer covered by what was known before it. */
const fallbackMs = 60_000;

interface DomainRow {
  readonly id: number;
  readonly name: string;
  readonly is_active: boolean;
  readonly quarantine_ms: number;
  readonly refuses_dmarc_reject: boolean;
  readonly discards_unknown: boolean;
}

const list: Statement = { name: 'mayfly_list_domains', text: 'SELECT * FROM mayfly.domains ORDER BY id' };
const add: Statement = {
  name: 'mayfly_add_domain',
  text: `INSERT INTO mayfly.domains (name, is_active, quarantine_ms) VALUES ($1, true, $2)
    ON CONFLICT (name) DO UPDATE
      SET is_active = true, quarantine_ms = coalesce($3, domains.quarantine_ms)`,
};
const setPolicy: Statement = {
  name: 'mayfly_set_policy',
  text: `UPDATE mayfly.domains SET refuses_dmarc_reject = coalesce($2, refuses_dmarc_reject),
      discards_unknown = coalesce($3, discards_unknown) WHERE name = $1`,
};
const disable: Statement = {
  name: 'mayfly_disable_domain',
  text: 'UPDATE mayfly.domains SET is_active = false WHERE name = $1',
};
const remove: Statement = {
  name: 'mayfly_remove_domain',
  text: 'DELETE FROM mayfly.domains WHERE name = $1 RETURNING id',
};
const hasEverHad: Statement = {
  name: 'mayfly_has_ever_had_domain',
  text: 'SELECT is_called AS done FROM mayfly.domains_id_seq',
};

const keepLastMail: Statement = {
  name: 'mayfly_keep_last_mail',
  text: 'UPDATE mayfly.domains SET last_mail_at = greatest(coalesce(last_mail_at, 0), $2) WHERE name = $1',
};
const listLastMail: Statement = {
  name: 'mayfly_list_last_mail',
  text: 'SELECT name, last_mail_at FROM mayfly.domains WHERE last_mail_at IS NOT NULL',
};

export class PostgresDirectoryStore implements DirectoryStore {
  readonly #options: PostgresDirectoryStoreOptions;
  #domains: readonly Domain[] | undefined;
  #readAt = -Infinity;
  #reading: Promise<readonly Domain[]> | undefined;

  constructor(options: PostgresDirectoryStoreOptions) {
    this.#options = options;
  }

  async listDomains(): Promise<readonly Domain[]> {
    const ageMs = performance.now() - this.#readAt;
    if (this.#domains && ageMs < believedMs) return this.#domains;
    this.#reading ??= this.#read();
    try {
      return await this.#reading;
    } catch (error) {
      if (this.#domains && ageMs < fallbackMs) return this.#domains;
      throw error;
    }
  }

  async #read(): Promise<readonly Domain[]> {
    const askedAt = performance.now();
    try {
      const rows = await asCallersError(this.#options.connections.read<DomainRow>(list, []));
      this.#domains = rows.map(toDomain);
      this.#readAt = askedAt;
      return this.#domains;
    } finally {
      this.#reading = undefined;
    }
  }

  async addDomain(name: string, quarantineMs: number | undefined, fallbackMs: number): Promise<Domain> {
    await this.#change(add, [name, quarantineMs ?? fallbackMs, quarantineMs ?? null]);
    const added = await this.#find(name);
    if (!added) throw new Error('The domain just added is gone.');
    return added;
  }

  async changeDomain(name: string, changes: DomainChanges): Promise<Domain | undefined> {
    const { refusesDmarcReject = null, discardsUnknown = null } = changes;
    await this.#change(setPolicy, [name, refusesDmarcReject, discardsUnknown]);
    return this.#find(name);
  }

  async disableDomain(name: string): Promise<Domain | undefined> {
    await this.#change(disable, [name]);
    return this.#find(name);
  }

  async removeDomain(name: string): Promise<number | undefined> {
    const removed = await this.#change(remove, [name]);
    if (removed.length === 0) return undefined;
    return this.#options.endSessionsOf(Buffer.from(`@${name}`));
  }

  async hasEverHadDomain(): Promise<boolean> {
    const rows = await asCallersError(this.#options.connections.read<{ done: boolean }>(hasEverHad, []));
    return rows[0]?.done === true;
  }

  async keepLastMail(lastMailAt: ReadonlyMap<string, number>): Promise<void> {
    for (const [name, at] of lastMailAt) {
      await asCallersError(this.#options.connections.write(keepLastMail, [name, at]));
    }
  }

  async listLastMail(): Promise<ReadonlyMap<string, number>> {
    const rows = await asCallersError(
      this.#options.connections.read<{ name: string; last_mail_at: number }>(listLastMail, []),
    );
    return new Map(rows.map((row) => [row.name, row.last_mail_at]));
  }

  async #find(name: string): Promise<Domain | undefined> {
    return (await this.listDomains()).find((domain) => domain.name === name);
  }

  async #change(statement: Statement, values: Values): Promise<object[]> {
    const rows = await asCallersError(this.#options.connections.write<object>(statement, values));
    // One that is being read may not have it yet.
    await Promise.allSettled([this.#reading]);
    this.#readAt = -Infinity;
    return rows;
  }
}

function toDomain(row: DomainRow): Domain {
  return {
    id: row.id,
    name: row.name,
    isActive: row.is_active,
    quarantineMs: row.quarantine_ms,
    refusesDmarcReject: row.refuses_dmarc_reject,
    discardsUnknown: row.discards_unknown,
  };
}
