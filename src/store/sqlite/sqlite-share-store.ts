// ShareStore on the SQLite file. Made by open-sqlite-store.ts.

import type Database from 'better-sqlite3';

import type { SessionKey } from '../../domain/session.ts';
import type { ShareStore } from '../share-store.ts';
import type { GroupCommit } from './group-commit.ts';

export interface SqliteShareStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly clock: () => number;
}

const isLive =
  'EXISTS (SELECT 1 FROM session_states t WHERE t.session_id = s.id AND t.ended_at IS NULL AND t.expires_at > :now)';

export class SqliteShareStore implements ShareStore {
  readonly #commits: GroupCommit;
  readonly #clock: () => number;
  readonly #read;
  readonly #replace;

  constructor({ database, commits, clock }: SqliteShareStoreOptions) {
    this.#commits = commits;
    this.#clock = clock;
    this.#read = database
      .prepare<{ key: SessionKey; now: number }, string | null>(
        `SELECT shares FROM sessions s WHERE key = :key AND ${isLive}`,
      )
      .pluck();
    this.#replace = database.prepare<{
      key: SessionKey;
      now: number;
      before: string | null;
      after: string | null;
    }>(`UPDATE sessions AS s SET shares = :after WHERE key = :key AND shares IS :before AND ${isLive}`);
  }

  readShares(key: SessionKey): Promise<string | null> {
    return Promise.resolve(this.#read.get({ key, now: this.#clock() }) ?? null);
  }

  replaceShares(
    key: SessionKey,
    change: { readonly before: string | null; readonly after: string | null },
  ): Promise<boolean> {
    return this.#commits.write(() => this.#replace.run({ key, now: this.#clock(), ...change }).changes === 1);
  }
}
