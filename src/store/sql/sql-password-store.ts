// PasswordStore over SQL.

import type { SessionKey } from '../../domain/session.ts';
import type { PasswordStore } from '../password-store.ts';
import type { Sql, Statement } from './sql.ts';

export class SqlPasswordStore implements PasswordStore {
  readonly #sql: Sql;
  readonly #read: Statement;
  readonly #replace: Statement;

  constructor(sql: Sql) {
    const { isLive } = sql.syntax;
    this.#sql = sql;
    this.#read = {
      name: 'read_password',
      text: `SELECT password FROM mayfly.sessions s WHERE key = :key AND ${isLive}`,
    };
    this.#replace = {
      name: 'replace_password',
      text: `UPDATE mayfly.sessions AS s SET password = :sealed WHERE key = :key AND ${isLive} RETURNING 1 AS done`,
    };
  }

  async readPassword(key: SessionKey): Promise<Uint8Array | undefined> {
    const row = await this.#sql.get<{ password: Uint8Array | null }>(this.#read, { key });
    return row?.password ?? undefined;
  }

  async replacePassword(key: SessionKey, sealed: Uint8Array): Promise<boolean> {
    const replaced = await this.#sql.run(this.#replace, { key, sealed });
    return replaced.length === 1;
  }
}
