// Messages in SQLite that are to be dealt with in a Gmail account once their sessions have ended. How many of a message's
// sessions have not is counted down by a trigger when they do (0007-gmail.sql), so that what is due is found by an index.
// Writing runs inside the writer's transactions; owned by SqliteGmailStore.

import type Database from 'better-sqlite3';

import type { SessionKey } from '../../domain/session.ts';
import type { GmailCleanup } from '../gmail-store.ts';
import type { SessionRows } from './session-rows.ts';

interface CleanupRow {
  readonly id: number;
  readonly folder: string;
  readonly uid_validity: number;
  readonly uid: number;
  readonly message_tag: string;
}

export class GmailCleanupRows {
  readonly #sessions: SessionRows;
  readonly #insert;
  readonly #find;
  readonly #insertSession;
  readonly #count;
  readonly #due;
  readonly #delete;
  readonly #deleteSessions;

  constructor(database: Database.Database, sessions: SessionRows) {
    this.#sessions = sessions;
    this.#insert = database.prepare<[number, string, number, number, string]>(
      `INSERT INTO gmail_cleanups (account_id, folder, uid_validity, uid, message_tag) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    this.#find = database
      .prepare<[number, string, number, number], number>(
        'SELECT id FROM gmail_cleanups WHERE account_id = ? AND folder = ? AND uid_validity = ? AND uid = ?',
      )
      .pluck();
    this.#insertSession = database.prepare<[number, number]>(
      'INSERT INTO gmail_cleanup_sessions (session_id, cleanup_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#count = database.prepare<[number, number]>(
      'UPDATE gmail_cleanups SET waiting = waiting + ? WHERE id = ?',
    );
    this.#due = database.prepare<[number, number], CleanupRow>(
      'SELECT * FROM gmail_cleanups WHERE account_id = ? AND waiting = 0 ORDER BY id LIMIT ?',
    );
    this.#delete = database.prepare<[number]>('DELETE FROM gmail_cleanups WHERE id = ?');
    this.#deleteSessions = database.prepare<[number]>(
      'DELETE FROM gmail_cleanup_sessions WHERE cleanup_id = ?',
    );
  }

  /** Runs in a transaction. A message that is added again waits for the sessions of both times. */
  add(accountId: number, cleanup: Omit<GmailCleanup, 'id'>, sessions: readonly SessionKey[]): void {
    const { folder, uidValidity, uid, messageTag } = cleanup;
    this.#insert.run(accountId, folder, uidValidity, uid, messageTag);
    const id = this.#find.get(accountId, folder, uidValidity, uid) ?? 0;
    for (const key of sessions) {
      const row = this.#sessions.findRow(key);
      if (row?.ended_at === null) this.#count.run(this.#insertSession.run(row.id, id).changes, id);
    }
  }

  listDue(accountId: number, limit: number): GmailCleanup[] {
    return this.#due.all(accountId, limit).map((row) => ({
      id: row.id,
      folder: row.folder,
      uidValidity: row.uid_validity,
      uid: row.uid,
      messageTag: row.message_tag,
    }));
  }

  /** Runs in a transaction. */
  finish(id: number): void {
    this.#delete.run(id);
    this.#deleteSessions.run(id);
  }
}
