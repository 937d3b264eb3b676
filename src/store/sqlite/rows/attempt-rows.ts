// Rows of the delivery logs in SQLite, bounded per session. Writing runs in the writer's transactions; used by
// SqliteAttemptStore, and by SqliteMailStore for deleted messages.

import type { Database } from '#group-commit/driver';

import { attemptLogMaxEntries } from '../../../domain/attempt.ts';
import type { StoredAttempt } from '../../attempt-store.ts';

export class AttemptRows {
  readonly #insert;
  readonly #dropOldest;
  readonly #list;

  constructor(database: Database.Database) {
    this.#insert = database.prepare<[number, number, number, Uint8Array]>(
      `INSERT INTO attempts (session_id, at, number, sealed)
       VALUES (?, ?, (SELECT 1 + coalesce(max(number), 0) FROM attempts WHERE session_id = ?), ?)`,
    );
    this.#dropOldest = database.prepare<{ sessionId: number }>(
      `DELETE FROM attempts WHERE session_id = :sessionId AND (at, number) <= (
         SELECT at, number FROM attempts WHERE session_id = :sessionId
         ORDER BY at DESC, number DESC LIMIT 1 OFFSET ${attemptLogMaxEntries})`,
    );
    this.#list = database.prepare<[number], StoredAttempt>(
      'SELECT at, sealed FROM attempts WHERE session_id = ? ORDER BY at DESC, number DESC',
    );
  }

  /**
   * Runs in a transaction. The oldest are dropped by time of arrival, because a message may be deleted long after it
   * arrived.
   */
  add(sessionId: number, { at, sealed }: StoredAttempt): void {
    this.#insert.run(sessionId, at, sessionId, sealed);
    this.#dropOldest.run({ sessionId });
  }

  /** Newest first. */
  list(sessionId: number): StoredAttempt[] {
    return this.#list.all(sessionId);
  }
}
