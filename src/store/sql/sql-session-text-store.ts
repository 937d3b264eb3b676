// SessionTextStore over SQL: one column of the sessions' table.

import type { SessionKey } from '../../domain/session.ts';
import type { SessionTextStore } from '../session-text-store.ts';
import type { Sql, Statement } from './sql.ts';

export class SqlSessionTextStore implements SessionTextStore {
  readonly #sql: Sql;
  readonly #read: Statement;
  readonly #replace: Statement;

  constructor(sql: Sql, column: 'shares' | 'pushes' | 'sent_keys') {
    const { isLive } = sql.syntax;
    this.#sql = sql;
    this.#read = {
      name: `read_${column}`,
      text: `SELECT ${column} AS text FROM mayfly.sessions s WHERE key = :key AND ${isLive}`,
    };
    this.#replace = {
      name: `replace_${column}`,
      text: `UPDATE mayfly.sessions AS s SET ${column} = :after
        WHERE key = :key AND ${column} IS NOT DISTINCT FROM :before AND ${isLive} RETURNING 1 AS done`,
    };
  }

  async read(key: SessionKey): Promise<string | null> {
    const row = await this.#sql.get<{ text: string | null }>(this.#read, { key });
    return row?.text ?? null;
  }

  async replace(
    key: SessionKey,
    { before, after }: { readonly before: string | null; readonly after: string | null },
  ): Promise<boolean> {
    const replaced = await this.#sql.run(this.#replace, { key, before, after });
    return replaced.length === 1;
  }
}
