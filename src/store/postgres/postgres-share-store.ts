// ShareStore on PostgreSQL. Made by open-postgres-store.ts.

import type { SessionKey } from '../../domain/session.ts';
import type { ShareStore } from '../share-store.ts';
import type { Connections, Statement } from './connections.ts';
import { asCallersError } from './database-fault.ts';

export interface PostgresShareStoreOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
}

const isLive = 'ended_at IS NULL AND expires_at > mayfly.now_ms($1)';
const read: Statement = {
  name: 'mayfly_read_shares',
  text: `SELECT shares FROM mayfly.sessions WHERE key = $2 AND ${isLive}`,
};
const replace: Statement = {
  name: 'mayfly_replace_shares',
  text: `UPDATE mayfly.sessions SET shares = $4
    WHERE key = $2 AND shares IS NOT DISTINCT FROM $3 AND ${isLive} RETURNING 1 AS done`,
};

export class PostgresShareStore implements ShareStore {
  readonly #options: PostgresShareStoreOptions;

  constructor(options: PostgresShareStoreOptions) {
    this.#options = options;
  }

  async readShares(key: SessionKey): Promise<string | null> {
    const { connections, now } = this.#options;
    const [row] = await asCallersError(connections.read<{ shares: string | null }>(read, [now(), key]));
    return row?.shares ?? null;
  }

  async replaceShares(
    key: SessionKey,
    { before, after }: { readonly before: string | null; readonly after: string | null },
  ): Promise<boolean> {
    const { connections, now } = this.#options;
    const rows = await asCallersError(connections.write(replace, [now(), key, before, after]));
    return rows.length === 1;
  }
}
