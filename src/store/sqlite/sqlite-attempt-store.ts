// AttemptStore on the SQLite file. Adding causes no commit of its own for up to a second, because strangers determine
// how often it happens. Made by open-sqlite-store.ts.

import type { Database } from '#group-commit/driver';
import type { GroupCommit } from '#group-commit/group-commit';
import type { SessionKey } from '../../domain/session.ts';
import type { AttemptStore, StoredAttempt } from '../attempt-store.ts';
import { AttemptRows } from './rows/attempt-rows.ts';
import type { SessionRows } from './rows/session-rows.ts';

export interface SqliteAttemptStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  /** Instant in ms since 1970. */
  readonly clock: () => number;
}

export class SqliteAttemptStore implements AttemptStore {
  readonly #commits: GroupCommit;
  readonly #sessions: SessionRows;
  readonly #clock: () => number;
  readonly #rows: AttemptRows;

  constructor({ database, commits, sessions, clock }: SqliteAttemptStoreOptions) {
    this.#commits = commits;
    this.#sessions = sessions;
    this.#clock = clock;
    this.#rows = new AttemptRows(database);
  }

  addAttempt(key: SessionKey, sealed: Uint8Array): Promise<void> {
    const at = this.#clock();
    return this.#commits.join(() => {
      const row = this.#sessions.findRow(key);
      if (row?.ended_at === null && row.expires_at > this.#clock()) this.#rows.add(row.id, { at, sealed });
    });
  }

  /** Runs in a group, after the writes that join it. It writes nothing itself, so it causes no sync of its own. */
  listAttempts(key: SessionKey): Promise<StoredAttempt[]> {
    return this.#commits.write(() => {
      const sessionId = this.#sessions.findId(key);
      return sessionId === undefined ? [] : this.#rows.list(sessionId);
    });
  }
}
