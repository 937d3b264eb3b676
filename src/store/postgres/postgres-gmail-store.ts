// GmailStore on PostgreSQL. Accounts are few and read at leisure; writes of the poller are fenced by its lease in the
// statement itself. Made by open-postgres-store.ts.

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
import { toByteaArray } from './binary-array.ts';
import type { Connections, Run, Statement, Values } from './connections.ts';
import { asCallersError } from './database-fault.ts';
import { toLeaseValues } from './lease-fence.ts';
import * as sql from './gmail-statements.ts';

export interface PostgresGmailStoreOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
  /** Ends the live sessions of the account and tells of it; how many. */
  readonly endSessionsOf: (accountId: number) => Promise<number>;
}

interface AccountRow {
  readonly id: number;
  readonly email: string;
  readonly host: string;
  readonly port: number;
  readonly security: GmailAccountSettings['security'];
  readonly login: string;
  readonly auth: GmailAccountSettings['auth'];
  readonly sealed_credentials: Buffer;
  readonly inbox_folder: string | null;
  readonly spam_folder: string | null;
  readonly is_active: boolean;
  readonly health: GmailAccountHealth;
  readonly detail: string;
  readonly health_at: number;
  readonly live_sessions: number;
  readonly bytes_today: number;
  readonly unmatched: number;
  readonly revision: number;
}

interface CleanupRow {
  readonly id: number;
  readonly folder: Buffer;
  readonly uid_validity: number;
  readonly uid: number;
  readonly message_tag: Buffer;
}

export class PostgresGmailStore implements GmailStore {
  readonly #options: PostgresGmailStoreOptions;
  readonly #connections: Connections;

  constructor(options: PostgresGmailStoreOptions) {
    this.#options = options;
    this.#connections = options.connections;
  }

  async listAccounts(): Promise<readonly GmailAccount[]> {
    return (await this.#ask<AccountRow>(sql.listAccounts, [this.#options.now()])).map(toAccount);
  }

  async addAccount(settings: GmailAccountSettings): Promise<GmailAccount> {
    const { email, host, port, security, user, auth } = settings;
    const { sealedCredentials, inboxFolder, spamFolder } = settings;
    await this.#transact(async (run) => {
      await run(sql.addMailbox, [email]);
      const [before] = await run<{ id: number; host: string; login: string }>(sql.lockAccount, [email]);
      // What was seen on one server means nothing on another.
      if (before && (before.host !== host || before.login !== user)) await forgetFolders(run, before.id);
      await run(sql.addAccount, [
        ...[this.#options.now(), email, host, port, security, user, auth],
        ...[sealedCredentials, inboxFolder, spamFolder],
      ]);
    });
    const added = await this.#find(email);
    if (!added) throw new Error('The account just added is gone.');
    return added;
  }

  async disableAccount(email: string): Promise<GmailAccount | undefined> {
    await this.#write(sql.disableAccount, [email]);
    return this.#find(email);
  }

  async removeAccount(email: string): Promise<number | undefined> {
    const account = await this.#find(email);
    if (!account) return undefined;
    const ended = await this.#options.endSessionsOf(account.id);
    await this.#transact(async (run) => {
      await forgetFolders(run, account.id);
      await run(sql.removeAccount, [account.id]);
    });
    // Those that came in between.
    return ended + (await this.#options.endSessionsOf(account.id));
  }

  async resealCredentials(reseal: (account: GmailAccount) => Uint8Array): Promise<void> {
    await this.#transact(async (run) => {
      await run(sql.lockAccounts, []);
      for (const row of await run<AccountRow>(sql.listAccounts, [this.#options.now()])) {
        await run(sql.resealAccount, [row.id, reseal(toAccount(row))]);
      }
    });
  }

  async takeAliasNumber(accountId: number): Promise<number> {
    const [row] = await this.#write<{ number: number }>(sql.takeAliasNumber, [accountId]);
    if (!row) throw new Error('There is no such account.');
    return row.number;
  }

  async countHeldDotVariants(accountId: number): Promise<number> {
    const [row] = await this.#ask<{ count: number }>(sql.countHeldDots, [this.#options.now(), accountId]);
    return row?.count ?? 0;
  }

  keepHealth(
    lease: Lease,
    accountId: number,
    { health, detail }: { readonly health: GmailAccountHealth; readonly detail: string },
  ): Promise<boolean> {
    // Servers say what they like, and text holds no NUL.
    const text = detail.replaceAll('\0', ' ');
    return this.#fenced(sql.keepHealth, lease, [this.#options.now(), accountId, health, text]);
  }

  async findCursor(accountId: number, folder: string): Promise<GmailCursor | undefined> {
    const values = [accountId, Buffer.from(folder)];
    const [row] = await this.#ask<{ uid_validity: number; last_uid: number }>(sql.findCursor, values);
    return row && { uidValidity: row.uid_validity, lastUid: row.last_uid };
  }

  keepProgress(lease: Lease, progress: GmailProgress): Promise<boolean> {
    const { accountId, folder, cursor, bytes, unmatched } = progress;
    return this.#fenced(sql.keepProgress, lease, [
      ...[this.#options.now(), accountId, Buffer.from(folder), cursor.uidValidity, cursor.lastUid],
      ...[bytes, unmatched],
    ]);
  }

  async addCleanup(
    accountId: number,
    cleanup: Omit<GmailCleanup, 'id'>,
    sessions: readonly SessionKey[],
  ): Promise<void> {
    const { folder, uidValidity, uid, messageTag } = cleanup;
    await this.#write(sql.addCleanup, [
      ...[accountId, Buffer.from(folder), uidValidity, uid, Buffer.from(messageTag)],
      toByteaArray(sessions),
    ]);
  }

  async listDueCleanups(accountId: number, limit: number): Promise<readonly GmailCleanup[]> {
    const rows = await this.#ask<CleanupRow>(sql.listDueCleanups, [accountId, limit]);
    return rows.map((row) => ({
      id: row.id,
      folder: row.folder.toString(),
      uidValidity: row.uid_validity,
      uid: row.uid,
      messageTag: row.message_tag.toString(),
    }));
  }

  finishCleanup(lease: Lease, id: number): Promise<boolean> {
    return this.#fenced(sql.finishCleanup, lease, [id]);
  }

  async #find(email: string): Promise<GmailAccount | undefined> {
    const [row] = await this.#ask<AccountRow>(sql.findAccount, [this.#options.now(), email]);
    return row && toAccount(row);
  }

  /** False, and nothing done, when the lease is another's by now. */
  async #fenced(write: Statement, lease: Lease, values: Values): Promise<boolean> {
    return (await this.#write(write, [...toLeaseValues(lease), ...values])).length > 0;
  }

  #ask<Row extends object>(question: Statement, values: Values): Promise<Row[]> {
    return asCallersError(this.#connections.read<Row>(question, values));
  }

  #write<Row extends object>(write: Statement, values: Values): Promise<Row[]> {
    return asCallersError(this.#connections.write<Row>(write, values));
  }

  #transact<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return asCallersError(this.#connections.transaction(work));
  }
}

async function forgetFolders(run: Run, accountId: number): Promise<void> {
  await run(sql.forgetCursors, [accountId]);
  await run(sql.forgetCleanups, [accountId]);
}

function toAccount(row: AccountRow): GmailAccount {
  return {
    id: row.id,
    email: row.email,
    host: row.host,
    port: row.port,
    security: row.security,
    user: row.login,
    auth: row.auth,
    sealedCredentials: row.sealed_credentials,
    inboxFolder: row.inbox_folder,
    spamFolder: row.spam_folder,
    isActive: row.is_active,
    health: row.health,
    detail: row.detail,
    healthAt: row.health_at,
    liveSessions: row.live_sessions,
    bytesToday: row.bytes_today,
    unmatched: row.unmatched,
    revision: row.revision,
  };
}
