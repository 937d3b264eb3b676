// The statements for the outbox and its endpoints. Used by postgres-jobs-store.ts. Rows of the outbox are locked
// before their endpoint's, which the triggers on it change (functions/webhooks.sql).

import type { Statement } from '#postgres/connections';

function statement(name: string, text: string): Statement {
  return { name: `mayfly_jobs_${name}`, text };
}

/** A scalar subquery, because the planner then uses an index. */
const now = '(SELECT mayfly.now_ms($1))';

export const countEndpoints = statement('count_endpoints', 'SELECT mayfly.count_endpoints($1, $2) AS count');
export const addEndpoint = statement('add_endpoint', 'SELECT mayfly.add_endpoint($1, $2, $3, $4, $5) AS id');
export const findEndpoint = statement(
  'find_endpoint',
  `SELECT state, last_error, queued, due_at FROM mayfly.webhook_endpoints
   WHERE session_key = $1 ORDER BY id LIMIT 1`,
);
export const setState = statement(
  'set_state',
  `UPDATE mayfly.webhook_endpoints SET state = $3, last_error = $4, rests_until = 0, changed_at = ${now}
   WHERE id = $2`,
);
export const activateRows = statement(
  'activate_rows',
  `UPDATE mayfly.outbox SET next_at = ${now} WHERE endpoint_id = $2 AND next_at IS NULL AND dead_at IS NULL`,
);
/** Activates rows of transactions that spanned the endpoint's activation; of one endpoint only. */
export const activateLate = statement(
  'activate_late',
  `UPDATE mayfly.outbox SET next_at = ${now} WHERE next_at IS NULL AND dead_at IS NULL AND endpoint_id = (
     SELECT o.endpoint_id FROM mayfly.outbox o JOIN mayfly.webhook_endpoints e ON e.id = o.endpoint_id
     WHERE o.next_at IS NULL AND o.dead_at IS NULL AND (e.state = 'active' OR e.id = 1) LIMIT 1
   ) RETURNING id`,
);
export const dropRows = statement('drop_rows', 'DELETE FROM mayfly.outbox WHERE endpoint_id = $1');

export const listDueEndpoints = statement(
  'list_due_endpoints',
  `SELECT d.id, w.standing, d.host_tag, d.maker_tag
   FROM (VALUES ('active', false, 'active'), ('active', true, 'failing'), ('pending', false, 'pending'),
     ('pending', true, 'pending')) AS w (state, has_failed, standing)
   CROSS JOIN LATERAL (
     SELECT id, host_tag, maker_tag FROM mayfly.webhook_endpoints e
     WHERE e.state = w.state AND (e.last_error IS NOT NULL) = w.has_failed AND e.due_at <= ${now} AND e.id <> 1
       AND e.id <> ALL ($4) AND coalesce(e.host_tag, '') <> ALL ($5) AND coalesce(e.maker_tag, '') <> ALL ($6)
     ORDER BY e.due_at LIMIT $2
   ) AS d
   WHERE w.standing <> ALL (string_to_array($3::text, ','))`,
);
/** Skips endpoints locked by another node or an event. */
export const leaseDue = statement(
  'lease_due',
  `WITH wanted AS MATERIALIZED (
     SELECT w.endpoint_id, w.rows FROM unnest($3::bigint[], $4::integer[]) AS w (endpoint_id, rows)
     JOIN mayfly.webhook_endpoints e ON e.id = w.endpoint_id
     WHERE e.id = 1 OR e.state <> 'closed'
   ), locked AS MATERIALIZED (
     SELECT id FROM mayfly.webhook_endpoints WHERE id = ANY ($3) AND id <> 1 FOR NO KEY UPDATE SKIP LOCKED
   ), due AS MATERIALIZED (
     SELECT d.session_key, d.id, d.next_at FROM wanted w CROSS JOIN LATERAL (
       SELECT session_key, id, next_at FROM mayfly.outbox o
       WHERE o.endpoint_id = w.endpoint_id AND o.next_at <= ${now}
       ORDER BY o.next_at, o.id LIMIT w.rows FOR UPDATE SKIP LOCKED
     ) AS d
     WHERE w.endpoint_id = 1 OR w.endpoint_id IN (SELECT id FROM locked)
   ), served AS (
     UPDATE mayfly.webhook_endpoints e SET served_at = ${now}, due_at = greatest(due_at, ${now})
     FROM locked WHERE e.id = locked.id
   ), taken AS (
     UPDATE mayfly.outbox o SET next_at = ${now} + $2, lease = o.lease + 1
     FROM due WHERE o.session_key = due.session_key AND o.id = due.id
     RETURNING o.id, o.lease, o.endpoint_id, o.session_key, o.seq, o.kind, o.message_seq, o.at, o.attempts, due.next_at AS due_at
   )
   SELECT t.id, t.lease, t.endpoint_id, e.sealed, t.session_key, t.seq, t.kind, t.message_seq, t.at, t.attempts, c.content
   FROM taken t JOIN mayfly.webhook_endpoints e ON e.id = t.endpoint_id
   LEFT JOIN mayfly.outbox_contents c ON c.outbox_id = t.id
   ORDER BY t.due_at, t.id`,
);
/** Corrects due times that turned out too early. */
export const refreshEndpoints = statement(
  'refresh_endpoints',
  `UPDATE mayfly.webhook_endpoints e SET due_at = (
     SELECT greatest(o.next_at, e.served_at, e.rests_until) FROM mayfly.outbox o
     WHERE o.endpoint_id = e.id AND o.next_at IS NOT NULL ORDER BY o.next_at, o.id LIMIT 1
   ) WHERE id IN (
     SELECT id FROM mayfly.webhook_endpoints WHERE id = ANY ($1) AND id <> 1 FOR NO KEY UPDATE SKIP LOCKED
   )`,
);

/**
 * Applies the outcome of an attempt to the endpoint of the row `changed`: $4 is the error, null on success; $5 is the
 * pause.
 */
const judged = `judged AS (
     UPDATE mayfly.webhook_endpoints e
     SET last_error = $4, rests_until = CASE
       WHEN $4::text IS NULL THEN 0
       WHEN $5::bigint > 0 THEN greatest(e.rests_until, ${now} + $5)
       ELSE e.rests_until END
     FROM changed WHERE e.id = changed.endpoint_id AND (e.last_error IS DISTINCT FROM $4 OR $5::bigint > 0)
   ) SELECT endpoint_id FROM changed`;
export const finish = statement(
  'finish',
  `WITH changed AS (DELETE FROM mayfly.outbox WHERE id = $2 AND lease = $3 RETURNING endpoint_id), ${judged}`,
);
export const retry = statement(
  'retry',
  `WITH changed AS (
     UPDATE mayfly.outbox SET next_at = ${now} + $6, attempts = attempts + 1
     WHERE id = $2 AND lease = $3 RETURNING endpoint_id
   ), ${judged}`,
);
/** No attempt was made, so the endpoint's state does not change. */
export const postpone = statement(
  'postpone',
  `UPDATE mayfly.outbox SET next_at = ${now} + $4 WHERE id = $2 AND lease = $3 RETURNING endpoint_id`,
);
export const bury = statement(
  'bury',
  `WITH changed AS (
     UPDATE mayfly.outbox SET next_at = NULL, dead_at = ${now}, attempts = attempts + 1, reason = $4, lease = lease + 1
     WHERE id = $2 AND lease = $3 RETURNING endpoint_id
   ), ${judged}`,
);
export const passChallenge = statement(
  'pass_challenge',
  'DELETE FROM mayfly.outbox WHERE id = $1 AND lease = $2 RETURNING endpoint_id',
);

export const listDead = statement(
  'list_dead',
  `SELECT id, endpoint_id, kind, seq, at, dead_at, attempts, reason FROM mayfly.outbox
   WHERE dead_at IS NOT NULL ORDER BY dead_at DESC, id DESC LIMIT $1`,
);
export const replayDead = statement(
  'replay_dead',
  `UPDATE mayfly.outbox SET next_at = ${now}, queued_at = ${now}, dead_at = NULL, reason = NULL, attempts = 0
   WHERE dead_at IS NOT NULL AND ($2::bigint IS NULL OR id = $2) RETURNING id`,
);
export const listSubscribers = statement(
  'list_subscribers',
  `SELECT session_key, id, sealed FROM mayfly.webhook_endpoints
   WHERE session_key = ANY ($1) AND state <> 'closed' AND id <> 1`,
);
/** Contents of what has gone meanwhile are dropped with its event, or by the next tidying. */
export const keepContents = statement(
  'keep_contents',
  `INSERT INTO mayfly.outbox_contents (outbox_id, session_key, message_seq, content)
   SELECT o.id, o.session_key, o.message_seq, c.content
   FROM unnest($1::bytea[], $2::integer[], $3::bigint[], $4::bytea[])
     AS c (session_key, message_seq, endpoint_id, content)
   JOIN mayfly.outbox o ON o.session_key = c.session_key AND o.message_seq = c.message_seq
     AND o.kind = 'message.received' AND o.endpoint_id = c.endpoint_id AND o.dead_at IS NULL
   ON CONFLICT (outbox_id) DO UPDATE SET content = excluded.content
   RETURNING session_key, message_seq`,
);
export const countContentBytes = statement(
  'count_content_bytes',
  'SELECT coalesce(sum(octet_length(content)), 0)::bigint AS bytes FROM mayfly.outbox_contents',
);
export const listContentSessions = statement(
  'list_content_sessions',
  'SELECT DISTINCT session_key AS key FROM mayfly.outbox_contents LIMIT 10000',
);
export const listLive = statement(
  'list_live',
  'SELECT key FROM mayfly.sessions WHERE key = ANY ($1) AND ended_at IS NULL',
);
export const dropContents = statement(
  'drop_contents',
  'DELETE FROM mayfly.outbox_contents WHERE session_key = ANY ($1)',
);
export const takeOverflow = statement(
  'take_overflow',
  `WITH taken AS (DELETE FROM mayfly.outbox_overflow RETURNING endpoint_id, events)
   SELECT endpoint_id, sum(events)::bigint AS events FROM taken GROUP BY endpoint_id ORDER BY endpoint_id`,
);

/** One endpoint at a time, since several could be locked in a different order than a delivery locks them. */
export const buryOld = statement(
  'bury_old',
  `UPDATE mayfly.outbox SET next_at = NULL, dead_at = ${now}, lease = lease + 1, reason = 'not delivered in time'
   WHERE queued_at <= ${now} - $2 AND dead_at IS NULL AND kind <> 'webhook.challenge' AND endpoint_id = (
     SELECT endpoint_id FROM mayfly.outbox
     WHERE queued_at <= ${now} - $2 AND dead_at IS NULL AND kind <> 'webhook.challenge' LIMIT 1
   ) RETURNING id`,
);
export const dropDead = statement('drop_dead', `DELETE FROM mayfly.outbox WHERE dead_at <= ${now} - $2`);
export const dropDeadBeyond = statement(
  'drop_dead_beyond',
  `DELETE FROM mayfly.outbox WHERE dead_at IS NOT NULL AND id IN (
     SELECT id FROM (
       SELECT id, row_number() OVER (PARTITION BY endpoint_id ORDER BY dead_at DESC, id DESC) AS place
       FROM mayfly.outbox WHERE dead_at IS NOT NULL
     ) AS numbered WHERE place > $1::bigint
   )`,
);
export const endPending = statement('end_pending', 'SELECT mayfly.end_pending($1)');
export const dropClosed = statement(
  'drop_closed',
  `DELETE FROM mayfly.outbox o USING mayfly.webhook_endpoints e
   WHERE e.id = o.endpoint_id AND e.state = 'closed' AND e.id <> $1`,
);
/** One endpoint at a time, as above. */
export const challengeAgain = statement(
  'challenge_again',
  `INSERT INTO mayfly.outbox (endpoint_id, session_key, seq, kind, at, queued_at, next_at)
   SELECT e.id, e.session_key, 0, 'webhook.challenge', ${now}, ${now}, ${now} FROM mayfly.webhook_endpoints e
   WHERE e.state = 'pending' AND NOT EXISTS (
     SELECT 1 FROM mayfly.outbox o WHERE o.endpoint_id = e.id AND o.kind = 'webhook.challenge' AND o.dead_at IS NULL
   ) LIMIT 1 RETURNING id`,
);
export const dropEndpoints = statement('drop_endpoints', 'SELECT mayfly.drop_endpoints($1)');
