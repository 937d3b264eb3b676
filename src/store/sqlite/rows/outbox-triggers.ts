// Writes outbox rows in the transaction of the event they report, by triggers on this connection. A service without
// webhooks pays nothing for them, and code that writes events need not know of the outbox. Called by
// sqlite-jobs-store.ts.

import type { Database } from '#group-commit/driver';

import { type OutboxSettings, operatorEndpointId } from '../../jobs-store.ts';
import { toRowId } from './message-row-id.ts';

export function addOutboxTriggers(database: Database.Database, settings: OutboxSettings): void {
  // On this connection only, like the triggers: it is reported soon and not worth storing.
  database.exec(
    'CREATE TEMP TABLE outbox_overflow (endpoint_id INTEGER PRIMARY KEY, events INTEGER NOT NULL) STRICT',
  );
  if (!settings.operator && !settings.sessions) return;
  database.exec(
    trigger('messages', settings, { kind: "'message.received'", messageSeq: seq, at: 'new.received_at' }),
  );
  database.exec(
    trigger('events', settings, { kind: 'new.kind', messageSeq: 'new.message_seq', at: 'new.at' }),
  );
}

const sessionId = `new.id / ${toRowId(1, 0)}`;
const seq = `new.id % ${toRowId(1, 0)}`;

interface OutboxEvent {
  readonly kind: string;
  readonly messageSeq: string;
  readonly at: string;
}

function trigger(
  table: 'events' | 'messages',
  { operator, rowsPerEndpoint }: OutboxSettings,
  { kind, messageSeq, at }: OutboxEvent,
): string {
  const rowsMax = Math.min(rowsPerEndpoint, Number.MAX_SAFE_INTEGER);
  // The operator's endpoint receives events whenever its URL is set, whatever the row contains.
  const isSubscribed = operator
    ? `(id = ${operatorEndpointId} OR (session_id = ${sessionId} AND state <> 'closed'))`
    : `session_id = ${sessionId} AND state <> 'closed'`;
  // Record overflows first: the next statement may fill the queue.
  return `CREATE TEMP TRIGGER outbox_of_${table} AFTER INSERT ON main.${table} BEGIN
    ${table === 'events' ? dropEarlierExtension(operator) : ''}
    INSERT INTO outbox_overflow SELECT id, 1 FROM webhook_endpoints WHERE ${isSubscribed} AND queued >= ${rowsMax}
      ON CONFLICT (endpoint_id) DO UPDATE SET events = events + 1;
    INSERT INTO outbox (endpoint_id, session_id, session_key, seq, kind, message_seq, at, queued_at, next_at)
    SELECT id, ${sessionId}, (SELECT key FROM sessions WHERE id = ${sessionId}), ${seq}, ${kind}, ${messageSeq}, ${at},
      ${at}, CASE WHEN state = 'active' OR id = ${operatorEndpointId} THEN ${at} END
    FROM webhook_endpoints
    WHERE ${isSubscribed} AND queued < ${rowsMax};
  END`;
}

/** A newer event replaces an earlier one, so that at most one per session waits. */
function dropEarlierExtension(operator: boolean): string {
  return `DELETE FROM outbox WHERE new.kind = 'session.extended' AND session_id = ${sessionId}
    AND kind = 'session.extended' AND dead_at IS NULL${operator ? '' : ` AND endpoint_id <> ${operatorEndpointId}`};`;
}
