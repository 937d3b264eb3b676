// ShareStore over SQL.

import type { SessionKey } from '../../domain/session.ts';
import type { ShareStore } from '../share-store.ts';
import type { Sql, Statement } from './sql.ts';

export class SqlShareStore implements ShareStore {
  readonly #sql: Sql;
  readonly #read: Statement;
  readonly #replace: Statement;

  constructor(sql: Sql) {
    const { isLive } = sql.dialect;
    this.#sql = sql;
    this.#read = {
      name: 'read_shares',
      text: `SELECT shares FROM mayfly.sessions s WHERE key = :key AND ${isLive}`,
    };
    this.#replace = {
      name: 'replace_shares',
      text: `UPDATE mayfly.sessions AS s SET shares = :after
        WHERE key = :key AND shares IS NOT DISTINCT FROM :before AND ${isLive} RETURNING 1 AS done`,
    };
  }

  async readShares(key: SessionKey): Promise<string | null> {
    const row = await this.#sql.get<{ shares: string | null }>(this.#read, { key });
    return row?.shares ?? null;
  }

  async replaceShares(
    key: SessionKey,
    { before, after }: { readonly before: string | null; readonly after: string | null },
  ): Promise<boolean> {
    const replaced = await this.#sql.run(this.#replace, { key, before, after });
    return replaced.length === 1;
  }
}
