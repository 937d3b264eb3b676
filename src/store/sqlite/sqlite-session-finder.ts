// SessionFinder on the SQLite file: reads alone, each bounded, since they run in the thread that takes mail. Made by
// open-sqlite-store.ts.

import type Database from 'better-sqlite3';

import type { SessionKey } from '../../domain/session.ts';
import type { FoundSession, SessionFinder } from '../session-finder.ts';

interface FoundRow extends Omit<FoundSession, 'key'> {
  readonly key: Uint8Array;
}

export class SqliteSessionFinder implements SessionFinder {
  readonly #clock: () => number;
  readonly #count;
  readonly #find;

  constructor(database: Database.Database, clock: () => number) {
    this.#clock = clock;
    this.#count = database.prepare<[number], { live: number }>(
      'SELECT count(*) AS live FROM session_states WHERE ended_at IS NULL AND expires_at > ?',
    );
    this.#find = database.prepare<[string, string, number, number], FoundRow>(
      `SELECT s.key, s.address, s.created_at AS createdAt, t.expires_at AS expiresAt,
              t.message_count AS messageCount, t.message_bytes AS messageBytes
       FROM addresses a JOIN sessions s ON s.id = a.session_id JOIN session_states t ON t.session_id = s.id
       WHERE a.address_key >= ? AND a.address_key < ? AND a.free_at IS NULL
         AND t.ended_at IS NULL AND t.expires_at > ?
       ORDER BY a.address_key LIMIT ?`,
    );
  }

  countLive(): Promise<number> {
    // Walks an index: milliseconds for a million sessions.
    return Promise.resolve(this.#count.get(this.#clock())?.live ?? 0);
  }

  findLive(start: string, limit: number): Promise<FoundSession[]> {
    const rows = this.#find.all(start, `${start}\u{10ffff}`, this.#clock(), limit);
    return Promise.resolve(rows.map((row) => ({ ...row, key: row.key as SessionKey })));
  }
}
