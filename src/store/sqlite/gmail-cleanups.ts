// Records in SQLite what to do in a Gmail account once a message's sessions have ended. A trigger (0007-gmail.sql)
// counts down those still live, so that an index finds what is due.

import type { Database } from '#group-commit/driver';
import type { GroupCommit } from '#group-commit/group-commit';
import type { GmailStore } from '../gmail-store.ts';

/** A message added again waits for the sessions of both deliveries. */
export function createAddCleanup(
  database: Database.Database,
  commits: Pick<GroupCommit, 'write'>,
): GmailStore['addCleanup'] {
  const insert = database
    .prepare<[number, string, number, number, string], number>(
      `INSERT INTO gmail_cleanups AS c (account_id, folder, uid_validity, uid, message_tag) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET uid = c.uid RETURNING id`,
    )
    .pluck();
  const addSession = database.prepare<[number, Uint8Array]>(
    `INSERT INTO gmail_cleanup_sessions (cleanup_id, session_id)
     SELECT ?, id FROM sessions WHERE key = ? AND salt IS NOT NULL ON CONFLICT DO NOTHING`,
  );
  const count = database.prepare<[number, number]>(
    'UPDATE gmail_cleanups SET waiting = waiting + ? WHERE id = ?',
  );
  return (accountId, { folder, uidValidity, uid, messageTag }, sessions) =>
    commits.write(() => {
      const id = insert.get(accountId, folder, uidValidity, uid, messageTag) ?? 0;
      for (const key of sessions) count.run(addSession.run(id, key).changes, id);
    });
}
