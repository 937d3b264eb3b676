// KeyStore over SQL.

import type { KeyKind, KeyScope } from '../../domain/api-key.ts';
import type { KeyStore, KeyUses, NewKey, StoredKey } from '../key-store.ts';
import type { Sql, Statement } from './sql.ts';

interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: string;
  readonly key_hash: Uint8Array;
  readonly rate_per_minute: number | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly uses: number;
  readonly last_used_at: number | null;
}

const columns =
  'id, name, kind, scopes, key_hash, rate_per_minute, created_at, revoked_at, uses, last_used_at';

const add: Statement = {
  name: 'add_key',
  text: `INSERT INTO mayfly.api_keys (name, kind, scopes, key_hash, rate_per_minute, created_at)
    VALUES (:name, :kind, :scopes, :hash, :ratePerMinute, :now)
    ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING ${columns}`,
};
const list: Statement = {
  name: 'list_keys',
  text: `SELECT ${columns} FROM mayfly.api_keys ORDER BY id`,
};
const revoke: Statement = {
  name: 'revoke_key',
  text: `UPDATE mayfly.api_keys SET revoked_at = :now WHERE name = :name AND revoked_at IS NULL RETURNING ${columns}`,
};
const addUses: Statement = {
  name: 'add_key_uses',
  text: `UPDATE mayfly.api_keys SET uses = uses + :uses,
      last_used_at = CASE WHEN last_used_at > :lastUsedAt THEN last_used_at ELSE :lastUsedAt END
    WHERE id = :id`,
};

export class SqlKeyStore implements KeyStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async addKey({ name, kind, scopes, hash, ratePerMinute }: NewKey): Promise<StoredKey | 'taken'> {
    const values = { name, kind, scopes: scopes.join(), hash, ratePerMinute };
    const [row] = await this.#sql.run<KeyRow>(add, values);
    return row ? toKey(row) : 'taken';
  }

  async listKeys(): Promise<StoredKey[]> {
    return (await this.#sql.all<KeyRow>(list)).map(toKey);
  }

  async revokeKey(name: string): Promise<StoredKey | undefined> {
    const [row] = await this.#sql.run<KeyRow>(revoke, { name });
    return row && toKey(row);
  }

  async addUses(uses: readonly KeyUses[]): Promise<void> {
    await this.#sql.runEach(
      addUses,
      uses.map(({ id, uses: count, lastUsedAt }) => ({ id, uses: count, lastUsedAt })),
    );
  }
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
