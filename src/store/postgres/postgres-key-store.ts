// KeyStore on PostgreSQL. Keys are few; each node reads them whole. Made by open-postgres-store.ts.

import type { KeyKind, KeyScope } from '../../domain/api-key.ts';
import type { KeyStore, KeyUses, NewKey, StoredKey } from '../key-store.ts';
import type { Connections, Statement } from './connections.ts';
import { asCallersError } from './database-fault.ts';

export interface PostgresKeyStoreOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
}

interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: string;
  readonly key_hash: Buffer;
  readonly rate_per_minute: number | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly uses: number;
  readonly last_used_at: number | null;
}

const add: Statement = {
  name: 'mayfly_add_key',
  text: `INSERT INTO mayfly.api_keys (name, kind, scopes, key_hash, rate_per_minute, created_at)
    VALUES ($2, $3, $4, $5, $6, mayfly.now_ms($1))
    ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING *`,
};
const list: Statement = { name: 'mayfly_list_keys', text: 'SELECT * FROM mayfly.api_keys ORDER BY id' };
const revoke: Statement = {
  name: 'mayfly_revoke_key',
  text: `UPDATE mayfly.api_keys SET revoked_at = mayfly.now_ms($1)
    WHERE name = $2 AND revoked_at IS NULL RETURNING *`,
};
const addUses: Statement = {
  name: 'mayfly_add_key_uses',
  text: `UPDATE mayfly.api_keys SET uses = uses + $2, last_used_at = greatest(coalesce(last_used_at, 0), $3)
    WHERE id = $1`,
};

export class PostgresKeyStore implements KeyStore {
  readonly #options: PostgresKeyStoreOptions;

  constructor(options: PostgresKeyStoreOptions) {
    this.#options = options;
  }

  async addKey(key: NewKey): Promise<StoredKey | 'taken'> {
    const { connections, now } = this.#options;
    const values = [now(), key.name, key.kind, key.scopes.join(), Buffer.from(key.hash), key.ratePerMinute];
    const [row] = await asCallersError(connections.write<KeyRow>(add, values));
    return row ? toKey(row) : 'taken';
  }

  async listKeys(): Promise<StoredKey[]> {
    return (await asCallersError(this.#options.connections.read<KeyRow>(list, []))).map(toKey);
  }

  async revokeKey(name: string): Promise<StoredKey | undefined> {
    const { connections, now } = this.#options;
    const [row] = await asCallersError(connections.write<KeyRow>(revoke, [now(), name]));
    return row && toKey(row);
  }

  async addUses(uses: readonly KeyUses[]): Promise<void> {
    for (const { id, uses: count, lastUsedAt } of uses) {
      await asCallersError(this.#options.connections.write(addUses, [id, count, lastUsedAt]));
    }
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
