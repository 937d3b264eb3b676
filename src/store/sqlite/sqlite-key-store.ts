// KeyStore on the SQLite file. Made by open-sqlite-store.ts.

import type Database from 'better-sqlite3';

import type { KeyKind, KeyScope } from '../../domain/api-key.ts';
import type { KeyStore, KeyUses, NewKey, StoredKey } from '../key-store.ts';
import type { GroupCommit } from './group-commit.ts';

interface KeyRow {
  id: number;
  name: string;
  kind: KeyKind;
  scopes: string;
  key_hash: Uint8Array;
  rate_per_minute: number | null;
  created_at: number;
  revoked_at: number | null;
  uses: number;
  last_used_at: number | null;
}

function toKey(row: KeyRow): StoredKey {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    scopes: row.scopes.split(',') as KeyScope[],
    hash: row.key_hash,
    ratePerMinute: row.rate_per_minute,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    uses: row.uses,
    lastUsedAt: row.last_used_at,
  };
}

export interface SqliteKeyStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly clock: () => number;
}

export class SqliteKeyStore implements KeyStore {
  readonly #options: SqliteKeyStoreOptions;

  constructor(options: SqliteKeyStoreOptions) {
    this.#options = options;
  }

  addKey(key: NewKey): Promise<StoredKey | 'taken'> {
    return this.#options.commits.write(() => {
      if (this.#findInForce(key.name)) return 'taken';
      this.#options.database
        .prepare(
          `INSERT INTO api_keys (name, kind, scopes, key_hash, rate_per_minute, created_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(key.name, key.kind, key.scopes.join(), key.hash, key.ratePerMinute, this.#options.clock());
      const added = this.#findInForce(key.name);
      if (!added) throw new Error('The key just added is gone.');
      return added;
    });
  }

  listKeys(): Promise<StoredKey[]> {
    const rows = this.#options.database.prepare<[], KeyRow>('SELECT * FROM api_keys ORDER BY id').all();
    return Promise.resolve(rows.map(toKey));
  }

  revokeKey(name: string): Promise<StoredKey | undefined> {
    return this.#options.commits.write(() => {
      const key = this.#findInForce(name);
      if (!key) return undefined;
      const revokedAt = this.#options.clock();
      this.#options.database
        .prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
        .run(revokedAt, key.id);
      return { ...key, revokedAt };
    });
  }

  async addUses(uses: readonly KeyUses[]): Promise<void> {
    await this.#options.commits.write(() => {
      const add = this.#options.database.prepare(
        'UPDATE api_keys SET uses = uses + ?, last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
      );
      for (const one of uses) add.run(one.uses, one.lastUsedAt, one.id);
    });
  }

  #findInForce(name: string): StoredKey | undefined {
    const row = this.#options.database
      .prepare<[string], KeyRow>('SELECT * FROM api_keys WHERE name = ? AND revoked_at IS NULL')
      .get(name);
    return row && toKey(row);
  }
}
