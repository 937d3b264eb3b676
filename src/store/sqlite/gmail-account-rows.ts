// Gmail accounts in SQLite: what the operator sets up and what the poller tells of them. Writing runs inside the writer's
// transactions; owned by SqliteGmailStore.

import type Database from 'better-sqlite3';

import type { GmailAccount, GmailAccountHealth, GmailAccountSettings } from '../gmail-store.ts';

const dayMs = 86_400_000;

interface AccountRow {
  id: number;
  mailbox_id: number;
  email: string;
  host: string;
  port: number;
  security: GmailAccountSettings['security'];
  user: string;
  auth: GmailAccountSettings['auth'];
  sealed_credentials: Uint8Array;
  inbox_folder: string | null;
  spam_folder: string | null;
  is_active: number;
  health: GmailAccountHealth;
  detail: string;
  health_at: number;
  unmatched: number;
  revision: number;
  usage_day: number;
  usage_bytes: number;
  live_sessions: number;
}

function toAccount(row: AccountRow, now: number): GmailAccount {
  return {
    id: row.id,
    email: row.email,
    host: row.host,
    port: row.port,
    security: row.security,
    user: row.user,
    auth: row.auth,
    sealedCredentials: row.sealed_credentials,
    inboxFolder: row.inbox_folder,
    spamFolder: row.spam_folder,
    isActive: row.is_active === 1,
    health: row.health,
    detail: row.detail,
    healthAt: row.health_at,
    liveSessions: row.live_sessions,
    bytesToday: row.usage_day === toDay(now) ? row.usage_bytes : 0,
    unmatched: row.unmatched,
    revision: row.revision,
  };
}

/** UTC. */
function toDay(at: number): number {
  return Math.floor(at / dayMs);
}

const selectAccount = `SELECT a.*, (SELECT count(*) FROM sessions s
    WHERE s.account_id = a.id AND s.account_id IS NOT NULL AND s.key_slot IS NOT NULL) AS live_sessions
  FROM gmail_accounts a`;

export class GmailAccountRows {
  readonly #database: Database.Database;
  readonly #all;
  readonly #byEmail;
  readonly #takeAlias;
  readonly #heldDots;
  readonly #keepHealth;
  readonly #addUsage;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#all = database.prepare<[], AccountRow>(`${selectAccount} ORDER BY a.id`);
    this.#byEmail = database.prepare<[string], AccountRow>(`${selectAccount} WHERE a.email = ?`);
    this.#takeAlias = database
      .prepare<[number], number>(
        `UPDATE gmail_mailboxes SET next_alias = next_alias + 1
         WHERE id = (SELECT mailbox_id FROM gmail_accounts WHERE id = ?) RETURNING next_alias - 1`,
      )
      .pluck();
    this.#heldDots = database
      .prepare<[number, number], number>(
        `SELECT count(*) FROM addresses WHERE dots_of = (SELECT mailbox_id FROM gmail_accounts WHERE id = ?)
           AND (free_at IS NULL OR free_at > ?)`,
      )
      .pluck();
    this.#keepHealth = database.prepare<{ id: number; health: string; detail: string; now: number }>(
      `UPDATE gmail_accounts SET health_at = iif(health = :health, health_at, :now), health = :health, detail = :detail
       WHERE id = :id`,
    );
    this.#addUsage = database.prepare<{ id: number; day: number; bytes: number; unmatched: number }>(
      `UPDATE gmail_accounts SET usage_bytes = iif(usage_day = :day, usage_bytes, 0) + :bytes, usage_day = :day,
         unmatched = unmatched + :unmatched
       WHERE id = :id`,
    );
  }

  list(now: number): GmailAccount[] {
    return this.#all.all().map((row) => toAccount(row, now));
  }

  find(email: string, now: number): GmailAccount | undefined {
    const row = this.#byEmail.get(email);
    return row && toAccount(row, now);
  }

  /** Runs in a transaction. */
  add(settings: GmailAccountSettings, now: number): void {
    const { email } = settings;
    this.#database
      .prepare('INSERT INTO gmail_mailboxes (email) VALUES (?) ON CONFLICT DO NOTHING')
      .run(email);
    const before = this.#byEmail.get(email);
    const isElsewhere = before && (before.host !== settings.host || before.user !== settings.user);
    // What was seen on one server means nothing on another.
    if (isElsewhere) this.forgetFolders(before.id);
    this.#database
      .prepare(
        `INSERT INTO gmail_accounts (mailbox_id, email, host, port, security, user, auth, sealed_credentials,
           inbox_folder, spam_folder, is_active, health, detail, health_at)
         VALUES ((SELECT id FROM gmail_mailboxes WHERE email = :email), :email, :host, :port, :security, :user, :auth,
           :sealedCredentials, :inboxFolder, :spamFolder, 1, 'new', '', :now)
         ON CONFLICT (email) DO UPDATE SET host = :host, port = :port, security = :security, user = :user,
           auth = :auth, sealed_credentials = :sealedCredentials, inbox_folder = :inboxFolder,
           spam_folder = :spamFolder, is_active = 1, health = 'new', detail = '', health_at = :now,
           revision = revision + 1`,
      )
      .run({ ...settings, now });
  }

  /** Runs in a transaction. */
  disable(email: string): void {
    this.#database
      .prepare('UPDATE gmail_accounts SET is_active = 0, revision = revision + 1 WHERE email = ?')
      .run(email);
  }

  /** Runs in a transaction. */
  remove(id: number): void {
    this.forgetFolders(id);
    this.#database.prepare('DELETE FROM gmail_accounts WHERE id = ?').run(id);
  }

  /** Runs in a transaction: what is remembered of the account's folders goes. */
  forgetFolders(id: number): void {
    this.#database.prepare('DELETE FROM gmail_cursors WHERE account_id = ?').run(id);
    this.#database
      .prepare(
        `DELETE FROM gmail_cleanup_sessions
         WHERE cleanup_id IN (SELECT id FROM gmail_cleanups WHERE account_id = ?)`,
      )
      .run(id);
    this.#database.prepare('DELETE FROM gmail_cleanups WHERE account_id = ?').run(id);
  }

  /** Runs in a transaction. */
  reseal(id: number, sealed: Uint8Array): void {
    this.#database.prepare('UPDATE gmail_accounts SET sealed_credentials = ? WHERE id = ?').run(sealed, id);
  }

  /** Runs in a transaction. Undefined when there is no such account. */
  takeAliasNumber(id: number): number | undefined {
    return this.#takeAlias.get(id);
  }

  countHeldDots(id: number, now: number): number {
    return this.#heldDots.get(id, now) ?? 0;
  }

  /** Runs in a transaction. */
  keepHealth(id: number, health: { readonly health: string; readonly detail: string }, now: number): void {
    this.#keepHealth.run({ id, health: health.health, detail: health.detail, now });
  }

  /** Runs in a transaction. */
  addUsage(id: number, usage: { readonly bytes: number; readonly unmatched: number }, now: number): void {
    this.#addUsage.run({ id, day: toDay(now), bytes: usage.bytes, unmatched: usage.unmatched });
  }
}
