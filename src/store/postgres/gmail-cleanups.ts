// Records in PostgreSQL what remains to be done in a Gmail account once a message's sessions have ended. In one
// statement: a node that stops leaves no lock behind that its successor would wait for.

import { toByteaArray } from '#postgres/binary-array';
import type { Connections, Statement } from '#postgres/connections';
import type { GmailStore } from '../gmail-store.ts';
import { asCallersError } from './database/callers-error.ts';

const add: Statement = {
  name: 'mayfly_gmail_add_cleanup',
  text: `WITH added AS (
      INSERT INTO mayfly.gmail_cleanups AS c (account_id, folder, uid_validity, uid, message_tag)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (account_id, folder, uid_validity, uid) DO UPDATE SET uid = c.uid
      RETURNING id
    )
    INSERT INTO mayfly.gmail_cleanup_sessions (cleanup_id, session_key)
    SELECT added.id, key FROM added, unnest($6::bytea[]) AS key ON CONFLICT DO NOTHING`,
};

export function createAddCleanup(connections: Connections): GmailStore['addCleanup'] {
  return async (accountId, { folder, uidValidity, uid, messageTag }, sessions) => {
    await asCallersError(
      connections.write(add, [
        ...[accountId, Buffer.from(folder), uidValidity, uid, Buffer.from(messageTag)],
        toByteaArray(sessions),
      ]),
    );
  };
}
