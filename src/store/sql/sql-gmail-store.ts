// GmailStore over SQL. Accounts are few and seldom read; where nodes share the store, a poller's writes are
// conditional on its lease.

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
import {
  type AccountRow,
  createAccountStatements,
  createPollerStatements,
  toAccount,
} from './gmail-statements.ts';
import { type Sql, step } from './sql.ts';

export interface SqlGmailStoreOptions {
  readonly sql: Sql;
  /** Ends the live sessions of the account and wakes their readers; resolves with how many. */
  readonly endSessionsOf: (accountId: number) => Promise<number>;
  /** Separate, because the engines count a message's sessions differently. */
  readonly addCleanup: GmailStore['addCleanup'];
}

interface CleanupRow {
  readonly id: number;
  readonly folder: string | Buffer;
  readonly uid_validity: number;
  readonly uid: number;
  readonly message_tag: string | Buffer;
}

export class SqlGmailStore implements GmailStore {
  readonly #options: SqlGmailStoreOptions;
  readonly #sql: Sql;
  readonly #statements;

  constructor(options: SqlGmailStoreOptions) {
    this.#options = options;
    this.#sql = options.sql;
    const { syntax } = options.sql;
    this.#statements = { ...createAccountStatements(syntax), ...createPollerStatements(syntax) };
  }

  async listAccounts(): Promise<readonly GmailAccount[]> {
    return (await this.#sql.all<AccountRow>(this.#statements.listAccounts)).map(toAccount);
  }

  async addAccount(settings: GmailAccountSettings): Promise<GmailAccount> {
    const { email, host, user } = settings;
    const statements = this.#statements;
    await this.#sql.transaction(function* () {
      yield* step(statements.addMailbox, { email });
      const [before] = yield* step<AccountRow>(statements.lockAccount, { email });
      // UIDs of one server mean nothing on another.
      const isElsewhere = before && (before.host !== host || before.login_name !== user);
      if (isElsewhere) for (const one of statements.forgetFolders) yield* step(one, { id: before.id });
      yield* step(statements.addAccount, { ...settings });
    });
    const added = await this.#find(email);
    if (!added) throw new Error('The account just added is gone.');
    return added;
  }

  async disableAccount(email: string): Promise<GmailAccount | undefined> {
    await this.#sql.run(this.#statements.disableAccount, { email });
    return this.#find(email);
  }

  async removeAccount(email: string): Promise<number | undefined> {
    const account = await this.#find(email);
    if (!account) return undefined;
    const { id } = account;
    const { forgetFolders, removeAccount } = this.#statements;
    const ended = await this.#options.endSessionsOf(id);
    await this.#sql.transaction(function* () {
      for (const one of [...forgetFolders, removeAccount]) yield* step(one, { id });
    });
    // Includes sessions created in between.
    return ended + (await this.#options.endSessionsOf(id));
  }

  resealCredentials(reseal: (account: GmailAccount) => Uint8Array): Promise<void> {
    const { lockAccounts, resealAccount } = this.#statements;
    return this.#sql.transaction(function* () {
      for (const row of yield* step<AccountRow>(lockAccounts)) {
        yield* step(resealAccount, { id: row.id, sealed: reseal(toAccount(row)) });
      }
    });
  }

  async takeAliasNumber(accountId: number): Promise<number> {
    const [row] = await this.#sql.run<{ number: number }>(this.#statements.takeAliasNumber, { accountId });
    if (!row) throw new Error('There is no such account.');
    return row.number;
  }

  async countHeldDotVariants(accountId: number): Promise<number> {
    const row = await this.#sql.get<{ count: number }>(this.#statements.countHeldDots, { accountId });
    return row?.count ?? 0;
  }

  keepHealth(
    lease: Lease,
    accountId: number,
    { health, detail }: { readonly health: GmailAccountHealth; readonly detail: string },
  ): Promise<boolean> {
    // Server text may contain NUL, which PostgreSQL cannot store.
    const values = { accountId, health, detail: detail.replaceAll('\0', ' ') };
    return this.#sql.runLeased(lease, this.#statements.keepHealth, values);
  }

  async findCursor(accountId: number, folder: string): Promise<GmailCursor | undefined> {
    const values = { accountId, folder: this.#sql.syntax.toText(folder) };
    const row = await this.#sql.get<{ uid_validity: number; last_uid: number }>(
      this.#statements.findCursor,
      values,
    );
    return row && { uidValidity: row.uid_validity, lastUid: row.last_uid };
  }

  keepProgress(lease: Lease, progress: GmailProgress): Promise<boolean> {
    const { accountId, folder, cursor, bytes, unmatched } = progress;
    const { uidValidity, lastUid } = cursor;
    const place = { accountId, folder: this.#sql.syntax.toText(folder), uidValidity, lastUid };
    return this.#sql.runLeased(lease, this.#statements.keepProgress, { ...place, bytes, unmatched });
  }

  addCleanup(...cleanup: Parameters<GmailStore['addCleanup']>): Promise<void> {
    return this.#options.addCleanup(...cleanup);
  }

  async listDueCleanups(accountId: number, limit: number): Promise<readonly GmailCleanup[]> {
    const rows = await this.#sql.all<CleanupRow>(this.#statements.listDueCleanups, { accountId, limit });
    return rows.map((row) => ({
      id: row.id,
      folder: row.folder.toString(),
      uidValidity: row.uid_validity,
      uid: row.uid,
      messageTag: row.message_tag.toString(),
    }));
  }

  finishCleanup(lease: Lease, id: number): Promise<boolean> {
    return this.#sql.runLeased(lease, this.#statements.finishCleanup, { id });
  }

  async #find(email: string): Promise<GmailAccount | undefined> {
    const row = await this.#sql.get<AccountRow>(this.#statements.findAccount, { email });
    return row && toAccount(row);
  }
}
