// The statements about Gmail accounts. `fence` makes a write part of a lease: it locks the lease's row, so that nobody
// takes it over before the write is committed.

import type { Statement } from './connections.ts';
import { toFence } from './lease-fence.ts';

function statement(name: string, text: string): Statement {
  return { name: `mayfly_gmail_${name}`, text };
}

/** $1 to $3: name, holder and epoch of the lease. */
const fence = toFence(1);
const isHeld = 'EXISTS (SELECT 1 FROM fence)';
const today = '(mayfly.now_ms($1) / 86400000)::int';

const selectAccounts = `SELECT a.*, CASE WHEN a.usage_day = ${today} THEN a.usage_bytes ELSE 0 END AS bytes_today,
    (SELECT count(*) FROM mayfly.sessions s WHERE s.account_id = a.id AND s.ended_at IS NULL) AS live_sessions
  FROM mayfly.gmail_accounts a`;

export const listAccounts = statement('list', `${selectAccounts} ORDER BY a.id`);
export const findAccount = statement('find', `${selectAccounts} WHERE a.email = $2`);
export const addMailbox = statement(
  'add_mailbox',
  'INSERT INTO mayfly.gmail_mailboxes (email) VALUES ($1) ON CONFLICT DO NOTHING',
);
export const addAccount = statement(
  'add',
  `INSERT INTO mayfly.gmail_accounts AS a (mailbox_id, email, host, port, security, login, auth, sealed_credentials,
     inbox_folder, spam_folder, health_at)
   VALUES ((SELECT id FROM mayfly.gmail_mailboxes WHERE email = $2), $2, $3, $4, $5, $6, $7, $8, $9, $10,
     mayfly.now_ms($1))
   ON CONFLICT (email) DO UPDATE SET host = excluded.host, port = excluded.port, security = excluded.security,
     login = excluded.login, auth = excluded.auth, sealed_credentials = excluded.sealed_credentials,
     inbox_folder = excluded.inbox_folder, spam_folder = excluded.spam_folder, is_active = true, health = 'new',
     detail = '', health_at = excluded.health_at, revision = a.revision + 1`,
);
export const lockAccount = statement(
  'lock',
  'SELECT id, host, login FROM mayfly.gmail_accounts WHERE email = $1 FOR UPDATE',
);
export const disableAccount = statement(
  'disable',
  'UPDATE mayfly.gmail_accounts SET is_active = false, revision = revision + 1 WHERE email = $1',
);
export const removeAccount = statement('remove', 'DELETE FROM mayfly.gmail_accounts WHERE id = $1');
export const forgetCursors = statement(
  'forget_cursors',
  'DELETE FROM mayfly.gmail_cursors WHERE account_id = $1',
);
export const forgetCleanups = statement(
  'forget_cleanups',
  `WITH gone AS (DELETE FROM mayfly.gmail_cleanups WHERE account_id = $1 RETURNING id)
   DELETE FROM mayfly.gmail_cleanup_sessions WHERE cleanup_id IN (SELECT id FROM gone)`,
);
export const lockAccounts = statement(
  'lock_all',
  'SELECT id FROM mayfly.gmail_accounts ORDER BY id FOR UPDATE',
);
export const resealAccount = statement(
  'reseal',
  'UPDATE mayfly.gmail_accounts SET sealed_credentials = $2 WHERE id = $1',
);
export const takeAliasNumber = statement(
  'take_alias_number',
  `UPDATE mayfly.gmail_mailboxes SET next_alias = next_alias + 1
   WHERE id = (SELECT mailbox_id FROM mayfly.gmail_accounts WHERE id = $1) RETURNING next_alias - 1 AS number`,
);
export const countHeldDots = statement(
  'count_held_dots',
  `SELECT count(*) AS count FROM mayfly.addresses
   WHERE dots_of = (SELECT mailbox_id FROM mayfly.gmail_accounts WHERE id = $2)
     AND (free_at IS NULL OR free_at > mayfly.now_ms($1))`,
);
export const findCursor = statement(
  'find_cursor',
  'SELECT uid_validity, last_uid FROM mayfly.gmail_cursors WHERE account_id = $1 AND folder = $2',
);
export const keepHealth = statement(
  'keep_health',
  `WITH ${fence}, kept AS (
     UPDATE mayfly.gmail_accounts SET health_at = CASE WHEN health = $6 THEN health_at ELSE mayfly.now_ms($4) END,
       health = $6, detail = $7
     WHERE id = $5 AND ${isHeld}
   )
   SELECT 1 FROM fence`,
);
export const keepProgress = statement(
  'keep_progress',
  `WITH ${fence}, used AS (
     UPDATE mayfly.gmail_accounts SET
       usage_bytes = CASE WHEN usage_day = (mayfly.now_ms($4) / 86400000)::int THEN usage_bytes ELSE 0 END + $9,
       usage_day = (mayfly.now_ms($4) / 86400000)::int, unmatched = unmatched + $10
     WHERE id = $5 AND ${isHeld}
   ), kept AS (
     INSERT INTO mayfly.gmail_cursors (account_id, folder, uid_validity, last_uid)
     SELECT $5, $6, $7, $8 FROM fence
     ON CONFLICT (account_id, folder) DO UPDATE
       SET uid_validity = excluded.uid_validity, last_uid = excluded.last_uid
   )
   SELECT 1 FROM fence`,
);
export const addCleanup = statement(
  'add_cleanup',
  `WITH added AS (
     INSERT INTO mayfly.gmail_cleanups AS c (account_id, folder, uid_validity, uid, message_tag)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_id, folder, uid_validity, uid) DO UPDATE SET uid = c.uid
     RETURNING id
   )
   INSERT INTO mayfly.gmail_cleanup_sessions (cleanup_id, session_key)
   SELECT added.id, key FROM added, unnest($6::bytea[]) AS key ON CONFLICT DO NOTHING`,
);
export const listDueCleanups = statement(
  'list_due_cleanups',
  `SELECT id, folder, uid_validity, uid, message_tag FROM mayfly.gmail_cleanups c
   WHERE account_id = $1 AND NOT EXISTS (
     SELECT 1 FROM mayfly.gmail_cleanup_sessions w JOIN mayfly.sessions s ON s.key = w.session_key
     WHERE w.cleanup_id = c.id AND s.ended_at IS NULL
   )
   ORDER BY id LIMIT $2`,
);
export const finishCleanup = statement(
  'finish_cleanup',
  `WITH ${fence}, done AS (
     DELETE FROM mayfly.gmail_cleanups WHERE id = $4 AND ${isHeld}
   ), forgotten AS (
     DELETE FROM mayfly.gmail_cleanup_sessions WHERE cleanup_id = $4 AND ${isHeld}
   )
   SELECT 1 FROM fence`,
);
