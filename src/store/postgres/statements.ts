// The statements about sessions and messages. Anything more than a look-up is a function of the schema (functions/),
// so that it costs one round trip and holds its locks no longer than it runs. Each names the columns it returns, never
// `*`: a prepared statement fails once a migration of a newer node adds a column to its result.

import type { Statement } from '#postgres/connections';
import { sessionColumns } from './session-row.ts';

function statement(name: string, text: string): Statement {
  return { name: `mayfly_${name}`, text };
}

export const findSessions = statement(
  'find_sessions',
  `SELECT ${sessionColumns} FROM mayfly.find_sessions($1, $2)`,
);
export const findHolders = statement(
  'find_holders',
  `SELECT ${sessionColumns} FROM mayfly.find_holders($1, $2)`,
);
export const findBucket = statement('find_bucket', 'SELECT bucket FROM mayfly.sessions WHERE key = $1');
export const createSession = statement(
  'create_session',
  'SELECT o_outcome, o_at, o_bucket FROM mayfly.create_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
);
export const makeBucket = statement('make_bucket', 'SELECT mayfly.make_bucket($1)');
export const endIfDue = statement('end_if_due', 'SELECT mayfly.end_if_due($1, $2, $3)');
export const endSession = statement('end_session', 'SELECT mayfly.end_session($1, $2, $3) AS done');
export const extendSession = statement(
  'extend_session',
  'SELECT mayfly.extend_session($1, $2, $3, $4) AS done',
);
export const renameSession = statement(
  'rename_session',
  'SELECT mayfly.rename_session($1, $2, $3, $4, $5, $6) AS outcome',
);
export const endDue = statement('end_due', 'SELECT mayfly.end_due($1, $2, $3) AS key');
export const endSomeOf = statement('end_some_of', 'SELECT mayfly.end_some_of($1, $2, $3, $4, $5) AS key');

export const deliver = statement(
  'deliver_calls',
  `SELECT o_outcome, o_seq, o_at
   FROM mayfly.deliver_calls($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);
export const deliverGroup = statement(
  'deliver_group',
  'SELECT o_at, o_places, o_seqs FROM mayfly.deliver_group($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
);
export const findFull = statement(
  'find_full',
  `SELECT 1 FROM mayfly.sessions WHERE key = $1 AND ended_at IS NULL AND expires_at > mayfly.now_ms($2)
     AND (message_count >= $3::bigint OR message_bytes >= $4::bigint) AND NOT drops_oldest`,
);
export const insertChunk = statement(
  'insert_chunk',
  'INSERT INTO mayfly.chunks (bucket, session_key, ingest_id, number, data) VALUES ($1, $2, $3, $4, $5)',
);
export const dropChunks = statement('drop_chunks', 'SELECT mayfly.drop_chunks($1, $2, $3)');
export const lockSession = statement(
  'lock_session',
  'SELECT 1 FROM mayfly.sessions WHERE key = $1 FOR UPDATE',
);
export const findIngest = statement(
  'find_ingest',
  `SELECT seq, received_at FROM mayfly.messages WHERE bucket = $1 AND session_key = $2 AND ingest_id = $3`,
);

const messageColumns =
  'm.seq, m.received_at, m.size_bytes, m.meta, coalesce(n.is_read, false) AS is_read, n.glance ' +
  'FROM mayfly.messages m LEFT JOIN mayfly.notes n ' +
  'ON n.bucket = m.bucket AND n.session_key = m.session_key AND n.seq = m.seq';
const inRange = 'WHERE m.bucket = $1 AND m.session_key = $2 AND m.seq > $3 AND m.seq < $4';
/**
 * A row without a number says that the session is live: a list without it may lack what is being reclaimed. Its nulls
 * have the types of the columns, which a newer node may change.
 */
const liveMark = `SELECT NULL AS seq, NULL AS received_at, NULL AS size_bytes, NULL AS meta, NULL AS is_read,
     NULL AS glance
   FROM mayfly.sessions WHERE key = $2 AND ended_at IS NULL`;
export const listNewest = statement(
  'list_newest',
  `${liveMark} UNION ALL (SELECT ${messageColumns} ${inRange} ORDER BY m.seq DESC LIMIT $5)`,
);
export const listOldest = statement(
  'list_oldest',
  `${liveMark} UNION ALL (SELECT ${messageColumns} ${inRange} ORDER BY m.seq LIMIT $5)`,
);
export const readChunk = statement(
  'read_chunk',
  `SELECT c.data, s.ended_at IS NULL AS is_live FROM mayfly.messages m
   JOIN mayfly.sessions s ON s.key = m.session_key
   LEFT JOIN mayfly.chunks c ON c.bucket = m.bucket AND c.session_key = m.session_key
     AND c.ingest_id = m.ingest_id AND c.number = $4
   WHERE m.bucket = $1 AND m.session_key = $2 AND m.seq = $3`,
);
export const setRead = statement('set_read', 'SELECT mayfly.set_read($1, $2, $3, $4, $5) AS done');
export const keepNote = statement('keep_note', 'SELECT mayfly.keep_note($1, $2, $3, $4, $5)');
export const findAuthentication = statement(
  'find_authentication',
  'SELECT authentication FROM mayfly.notes WHERE bucket = $1 AND session_key = $2 AND seq = $3',
);
export const deleteMessage = statement(
  'delete_message',
  'SELECT mayfly.delete_message($1, $2, $3, $4, $5, $6) AS done',
);
export const listEvents = statement(
  'list_events',
  `SELECT seq, 'message.received' AS kind, received_at AS at, seq AS message_seq
     FROM mayfly.messages WHERE bucket = $1 AND session_key = $2 AND seq > $3
   UNION ALL
   SELECT seq, kind, at, message_seq FROM mayfly.events WHERE bucket = $1 AND session_key = $2 AND seq > $3
   ORDER BY seq LIMIT $4`,
);
export const addAttempts = statement('add_attempts', 'SELECT mayfly.add_attempts($1, $2, $3, $4, $5)');
export const listAttempts = statement(
  'list_attempts',
  `SELECT at, sealed FROM mayfly.attempts WHERE bucket = $1 AND session_key = $2
   ORDER BY at DESC, number DESC`,
);
export const reclaimStep = statement('reclaim_step', 'SELECT mayfly.reclaim_step($1, $2) AS done');
export const passBuckets = statement('pass_buckets', 'SELECT mayfly.pass_buckets($1, $2) AS bucket');
export const findLease = statement('find_lease', 'SELECT 1');
