// GmailStore on the SQLite file. Accounts are few and read at leisure; writes of the poller are fenced by its lease in
// the commit itself. Made by open-sqlite-store.ts.

import type Database from 'better-sqlite3';

import type { SessionKey } from '../../domain/session.ts';
import type {
  GmailAccount,
  GmailAccountHealth,
  GmailAccountSettings,
  GmailCleanup,
  GmailCursor,
  GmailProgress,
  GmailStore,
} from '../gmail-store.ts';
import type { Lease } from '../lease-store.ts';
import { GmailAccountRows } from './gmail-account-rows.ts';
import { GmailCleanupRows } from './gmail-cleanup-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import { LeaseRows } from './lease-rows.ts';
import type { SessionRows } from './session-rows.ts';

export interface SqliteGmailStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  /** Instant in ms since 1970. */
  readonly clock: () => number;
  /** Called after the commit that ended a session. */
  readonly onNews: (key: SessionKey) => void;
}

export class SqliteGmailStore implements GmailStore {
  readonly #options: SqliteGmailStoreOptions;
  readonly #accounts: GmailAccountRows;
  readonly #cleanups: GmailCleanupRows;
  readonly #leases: LeaseRows;
  readonly #findCursor;
  readonly #keepCursor;

  constructor(options: SqliteGmailStoreOptions) {
    const { database } = options;
    this.#options = options;
    this.#accounts = new GmailAccountRows(database);
    this.#cleanups = new GmailCleanupRows(database, options.sessions);
    this.#leases = new LeaseRows(database);
    this.#findCursor = database.prepare<[number, string], { uid_validity: number; last_uid: number }>(
      'SELECT uid_validity, last_uid FROM gmail_cursors WHERE account_id = ? AND folder = ?',
    );
    this.#keepCursor = database.prepare<[number, string, number, number]>(
      'INSERT OR REPLACE INTO gmail_cursors (account_id, folder, uid_validity, last_uid) VALUES (?, ?, ?, ?)',
    );
  }

  listAccounts(): Promise<readonly GmailAccount[]> {
    return Promise.resolve(this.#accounts.list(this.#options.clock()));
  }

  async addAccount(settings: GmailAccountSettings): Promise<GmailAccount> {
    const added = await this.#write((now) => {
      this.#accounts.add(settings, now);
      return this.#accounts.find(settings.email, now);
    });
    if (!added) throw new Error('The account just added is gone.');
    return added;
  }

  disableAccount(email: string): Promise<GmailAccount | undefined> {
    return this.#write((now) => {
      this.#accounts.disable(email);
      return this.#accounts.find(email, now);
    });
  }

  async removeAccount(email: string): Promise<number | undefined> {
    const ended = await this.#write((now) => {
      const account = this.#accounts.find(email, now);
      if (!account) return undefined;
      const live = this.#options.sessions.listLiveOfAccount(account.id);
      for (const row of live) this.#options.sessions.end(row, now);
      this.#accounts.remove(account.id);
      return live;
    });
    for (const row of ended ?? []) this.#options.onNews(row.key as SessionKey);
    return ended?.length;
  }

  resealCredentials(reseal: (account: GmailAccount) => Uint8Array): Promise<void> {
    return this.#write((now) => {
      for (const account of this.#accounts.list(now)) this.#accounts.reseal(account.id, reseal(account));
    });
  }

  async takeAliasNumber(accountId: number): Promise<number> {
    const number = await this.#write(() => this.#accounts.takeAliasNumber(accountId));
    if (number === undefined) throw new Error('There is no such account.');
    return number;
  }

  countHeldDotVariants(accountId: number): Promise<number> {
    return Promise.resolve(this.#accounts.countHeldDots(accountId, this.#options.clock()));
  }

  keepHealth(
    lease: Lease,
    accountId: number,
    health: { readonly health: GmailAccountHealth; readonly detail: string },
  ): Promise<boolean> {
    return this.#fenced(lease, (now) => {
      this.#accounts.keepHealth(accountId, health, now);
    });
  }

  findCursor(accountId: number, folder: string): Promise<GmailCursor | undefined> {
    const row = this.#findCursor.get(accountId, folder);
    return Promise.resolve(row && { uidValidity: row.uid_validity, lastUid: row.last_uid });
  }

  keepProgress(lease: Lease, { accountId, folder, cursor, ...usage }: GmailProgress): Promise<boolean> {
    return this.#fenced(lease, (now) => {
      this.#keepCursor.run(accountId, folder, cursor.uidValidity, cursor.lastUid);
      this.#accounts.addUsage(accountId, usage, now);
    });
  }

  addCleanup(
    accountId: number,
    cleanup: Omit<GmailCleanup, 'id'>,
    sessions: readonly SessionKey[],
  ): Promise<void> {
    return this.#write(() => {
      this.#cleanups.add(accountId, cleanup, sessions);
    });
  }

  listDueCleanups(accountId: number, limit: number): Promise<readonly GmailCleanup[]> {
    return Promise.resolve(this.#cleanups.listDue(accountId, limit));
  }

  finishCleanup(lease: Lease, id: number): Promise<boolean> {
    return this.#fenced(lease, () => {
      this.#cleanups.finish(id);
    });
  }

  /** False, and nothing done, when the lease is another's by now. */
  #fenced(lease: Lease, work: (now: number) => void): Promise<boolean> {
    return this.#write((now) => {
      if (!this.#leases.isHeld(lease)) return false;
      work(now);
      return true;
    });
  }

  #write<T>(work: (now: number) => T): Promise<T> {
    return this.#options.commits.write(() => work(this.#options.clock()));
  }
}
