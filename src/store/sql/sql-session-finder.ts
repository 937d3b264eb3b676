// SessionFinder over SQL. Each read is bounded: on SQLite it runs in the thread that receives mail.

import type { SessionKey } from '../../domain/session.ts';
import type { FoundSession, SessionFinder } from '../session-finder.ts';
import type { Sql, Statement } from './sql.ts';

interface FoundRow extends Omit<FoundSession, 'key' | 'address'> {
  readonly key: Uint8Array;
  readonly address: string | Buffer;
}

export class SqlSessionFinder implements SessionFinder {
  readonly #sql: Sql;
  readonly #count: Statement;
  readonly #find: Statement;
  readonly #listAfter: Statement;
  readonly #known: Statement;

  constructor(sql: Sql) {
    const { sessionStates, heldAddresses } = sql.syntax;
    const { from, key, isHeld } = heldAddresses;
    this.#sql = sql;
    this.#count = {
      name: 'count_live',
      // Scans an index: milliseconds for a million sessions.
      text: `SELECT count(*) AS live FROM ${sessionStates} WHERE ended_at IS NULL AND expires_at > :now`,
    };
    this.#find = {
      name: 'find_live',
      text: `SELECT s.key, s.address, created_at AS "createdAt", expires_at AS "expiresAt",
          message_count AS "messageCount", message_bytes AS "messageBytes"
        FROM ${from}
        WHERE ${key} >= :from AND ${key} < :to AND ${isHeld}
          AND ended_at IS NULL AND expires_at > :now
        ORDER BY ${key} LIMIT :limit`,
    };
    this.#listAfter = {
      name: 'list_live_after',
      text: `SELECT ${key} AS address FROM ${from}
        WHERE ${key} > :after AND ${isHeld} AND ended_at IS NULL AND expires_at > :now
        ORDER BY ${key} LIMIT :limit`,
    };
    this.#known = {
      name: 'is_known_address',
      text: 'SELECT 1 AS known FROM mayfly.addresses WHERE address_key = :addressKey',
    };
  }

  async countLive(): Promise<number> {
    return (await this.#sql.get<{ live: number }>(this.#count))?.live ?? 0;
  }

  async isKnownAddress(addressKey: string): Promise<boolean> {
    const { toText } = this.#sql.syntax;
    return (await this.#sql.get(this.#known, { addressKey: toText(addressKey) })) !== undefined;
  }

  async listLiveAfter(address: string, limit: number): Promise<string[]> {
    const values = { after: this.#sql.syntax.toText(address), limit };
    const rows = await this.#sql.all<Pick<FoundRow, 'address'>>(this.#listAfter, values);
    return rows.map((row) => row.address.toString());
  }

  async findLive(start: string, limit: number): Promise<FoundSession[]> {
    const { toText } = this.#sql.syntax;
    const values = { from: toText(start), to: toText(`${start}\u{10ffff}`), limit };
    const rows = await this.#sql.all<FoundRow>(this.#find, values);
    return rows.map((row) => ({ ...row, key: row.key as SessionKey, address: row.address.toString() }));
  }
}
