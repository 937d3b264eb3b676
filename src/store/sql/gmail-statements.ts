// The statements of SqlGmailStore, and the account rows they return.

import type { GmailAccount, GmailAccountHealth, GmailAccountSettings } from '../gmail-store.ts';
import type { Syntax, Statement } from './sql.ts';

export interface AccountRow {
  readonly id: number;
  readonly email: string;
  readonly host: string;
  readonly port: number;
  readonly security: GmailAccountSettings['security'];
  readonly login_name: string;
  readonly auth: GmailAccountSettings['auth'];
  readonly sealed_credentials: Uint8Array;
  readonly inbox_folder: string | null;
  readonly spam_folder: string | null;
  readonly is_active: boolean | number;
  readonly health: GmailAccountHealth;
  readonly detail: string;
  readonly health_at: number;
  readonly live_sessions: number;
  readonly oldest_session_at: number | null;
  readonly bytes_today: number;
  readonly unmatched: number;
  readonly revision: number;
}

export function toAccount(row: AccountRow): GmailAccount {
  return {
    id: row.id,
    email: row.email,
    host: row.host,
    port: row.port,
    security: row.security,
    user: row.login_name,
    auth: row.auth,
    sealedCredentials: row.sealed_credentials,
    inboxFolder: row.inbox_folder,
    spamFolder: row.spam_folder,
    isActive: Boolean(row.is_active),
    health: row.health,
    detail: row.detail,
    healthAt: row.health_at,
    liveSessions: row.live_sessions,
    oldestSessionAt: row.oldest_session_at,
    bytesToday: row.bytes_today,
    unmatched: row.unmatched,
    revision: row.revision,
  };
}

function statement(name: string, text: string): Statement {
  return { name: `gmail_${name}`, text };
}

/** Whole days since 1970, UTC. */
const today = 'CAST(:now / 86400000 AS integer)';

/** Selects accounts with the number of their live sessions and the oldest one's beginning. */
function toSelectAccounts({ login, hasNotEnded, areSessionsApart }: Syntax['gmail']): string {
  const ofAccounts = `FROM mayfly.sessions s WHERE s.account_id IS NOT NULL AND ${hasNotEnded}`;
  const ofOne = (value: string): string => `(SELECT ${value} ${ofAccounts} AND s.account_id = a.id)`;
  const [count, oldest] = areSessionsApart
    ? ['coalesce(l.live, 0)', 'l.oldest']
    : [ofOne('count(*)'), ofOne('min(s.created_at)')];
  const counted = areSessionsApart
    ? `LEFT JOIN (SELECT s.account_id, count(*) AS live, min(s.created_at) AS oldest ${ofAccounts}
         GROUP BY s.account_id) l ON l.account_id = a.id`
    : '';
  return `SELECT a.id, a.email, a.host, a.port, a.security, a.${login} AS login_name, a.auth, a.sealed_credentials,
      a.inbox_folder, a.spam_folder, a.is_active, a.health, a.detail, a.health_at, a.unmatched, a.revision,
      CASE WHEN a.usage_day = ${today} THEN a.usage_bytes ELSE 0 END AS bytes_today, ${count} AS live_sessions,
      ${oldest} AS oldest_session_at
    FROM mayfly.gmail_accounts a ${counted}`;
}

/** Statements for the operator's settings. */
export function createAccountStatements({ gmail, forUpdate }: Syntax) {
  const { login } = gmail;
  const selectAccounts = toSelectAccounts(gmail);
  return {
    listAccounts: statement('list', `${selectAccounts} ORDER BY a.id`),
    findAccount: statement('find', `${selectAccounts} WHERE a.email = :email`),
    lockAccount: statement('lock', `${selectAccounts} WHERE a.email = :email ${forUpdate}`),
    lockAccounts: statement('lock_all', `${selectAccounts} ORDER BY a.id ${forUpdate}`),
    addMailbox: statement(
      'add_mailbox',
      'INSERT INTO mayfly.gmail_mailboxes (email) VALUES (:email) ON CONFLICT DO NOTHING',
    ),
    addAccount: statement(
      'add',
      `INSERT INTO mayfly.gmail_accounts AS a (mailbox_id, email, host, port, security, ${login}, auth,
         sealed_credentials, inbox_folder, spam_folder, is_active, health, detail, health_at)
       VALUES ((SELECT id FROM mayfly.gmail_mailboxes WHERE email = :email), :email, :host, :port, :security, :user,
         :auth, :sealedCredentials, :inboxFolder, :spamFolder, true, 'new', '', :now)
       ON CONFLICT (email) DO UPDATE SET host = excluded.host, port = excluded.port, security = excluded.security,
         ${login} = excluded.${login}, auth = excluded.auth, sealed_credentials = excluded.sealed_credentials,
         inbox_folder = excluded.inbox_folder, spam_folder = excluded.spam_folder, is_active = true,
         health = 'new', detail = '', health_at = excluded.health_at, revision = a.revision + 1`,
    ),
    disableAccount: statement(
      'disable',
      'UPDATE mayfly.gmail_accounts SET is_active = false, revision = revision + 1 WHERE email = :email',
    ),
    removeAccount: statement('remove', 'DELETE FROM mayfly.gmail_accounts WHERE id = :id'),
    /** Run in order for the account with the number :id. */
    forgetFolders: [
      statement('forget_cursors', 'DELETE FROM mayfly.gmail_cursors WHERE account_id = :id'),
      statement('forget_cleanups', 'DELETE FROM mayfly.gmail_cleanups WHERE account_id = :id'),
      statement(
        'forget_cleanup_sessions',
        `DELETE FROM mayfly.gmail_cleanup_sessions
         WHERE NOT EXISTS (SELECT 1 FROM mayfly.gmail_cleanups c WHERE c.id = cleanup_id)`,
      ),
    ],
    resealAccount: statement(
      'reseal',
      'UPDATE mayfly.gmail_accounts SET sealed_credentials = :sealed WHERE id = :id',
    ),
    takeAliasNumber: statement(
      'take_alias_number',
      `UPDATE mayfly.gmail_mailboxes SET next_alias = next_alias + 1
       WHERE id = (SELECT mailbox_id FROM mayfly.gmail_accounts WHERE id = :accountId)
       RETURNING next_alias - 1 AS number`,
    ),
    countHeldDots: statement(
      'count_held_dots',
      `SELECT count(*) AS count FROM mayfly.addresses
       WHERE dots_of = (SELECT mailbox_id FROM mayfly.gmail_accounts WHERE id = :accountId)
         AND (free_at IS NULL OR free_at > :now)`,
    ),
  };
}

/** Statements for pollers, and for what follows a delivery. */
export function createPollerStatements({ gmail, isHeld }: Syntax) {
  return {
    keepHealth: [
      statement(
        'keep_health',
        `UPDATE mayfly.gmail_accounts SET health_at = CASE WHEN health = :health THEN health_at ELSE :now END,
         health = :health, detail = :detail
       WHERE id = :accountId AND ${isHeld}`,
      ),
    ],
    findCursor: statement(
      'find_cursor',
      'SELECT uid_validity, last_uid FROM mayfly.gmail_cursors WHERE account_id = :accountId AND folder = :folder',
    ),
    keepProgress: [
      statement(
        'keep_cursor',
        `INSERT INTO mayfly.gmail_cursors (account_id, folder, uid_validity, last_uid)
         SELECT :accountId, :folder, :uidValidity, :lastUid WHERE ${isHeld}
         ON CONFLICT (account_id, folder) DO UPDATE
           SET uid_validity = excluded.uid_validity, last_uid = excluded.last_uid`,
      ),
      statement(
        'add_usage',
        `UPDATE mayfly.gmail_accounts SET
           usage_bytes = CASE WHEN usage_day = ${today} THEN usage_bytes ELSE 0 END + :bytes,
           usage_day = ${today}, unmatched = unmatched + :unmatched
         WHERE id = :accountId AND ${isHeld}`,
      ),
    ],
    listDueCleanups: statement(
      'list_due_cleanups',
      `SELECT id, folder, uid_validity, uid, message_tag FROM mayfly.gmail_cleanups c
       WHERE account_id = :accountId AND ${gmail.isCleanupDue} ORDER BY id LIMIT :limit`,
    ),
    finishCleanup: [
      statement('finish_cleanup', `DELETE FROM mayfly.gmail_cleanups WHERE id = :id AND ${isHeld}`),
      statement(
        'finish_cleanup_sessions',
        `DELETE FROM mayfly.gmail_cleanup_sessions WHERE cleanup_id = :id AND ${isHeld}`,
      ),
    ],
  };
}
