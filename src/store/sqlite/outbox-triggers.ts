// Writes outbox rows in the transaction of the event that they tell: triggers of this connection, so that a service
// without webhooks pays nothing and no path that writes an event can forget them. Called by sqlite-jobs-store.ts.

import type Database from 'better-sqlite3';

import { type OutboxSettings, operatorEndpointId } from '../jobs-store.ts';
import { toRowId } from './message-row-id.ts';

export function addOutboxTriggers(database: Database.Database, settings: OutboxSettings): void {
  setOperatorEndpoint(database, settings.operator);
  // Of this connection, as the triggers are; it is told soon and not worth keeping.
  database.exec(
    'CREATE TEMP TABLE outbox_overflow (endpoint_id INTEGER PRIMARY KEY, events INTEGER NOT NULL) STRICT',
  );
  if (!settings.operator && !settings.sessions) return;
  const rowsMax = Math.min(settings.rowsPerEndpoint, Number.MAX_SAFE_INTEGER);
  database.exec(
    trigger('messages', "'message.received'", { messageSeq: 'SEQ', at: 'new.received_at', rowsMax }),
  );
  database.exec(trigger('events', 'new.kind', { messageSeq: 'new.message_seq', at: 'new.at', rowsMax }));
}

function trigger(
  table: string,
  kind: string,
  { messageSeq, at, rowsMax }: { messageSeq: string; at: string; rowsMax: number },
): string {
  const sessionId = `new.id / ${toRowId(1, 0)}`;
  const seq = `new.id % ${toRowId(1, 0)}`;
  const isTold = `session_id IN (0, ${sessionId}) AND state <> 'closed'`;
  // What overflows first: the other statement may fill the queue.
  return `CREATE TEMP TRIGGER outbox_of_${table} AFTER INSERT ON main.${table} BEGIN
    INSERT INTO outbox_overflow SELECT id, 1 FROM webhook_endpoints WHERE ${isTold} AND queued >= ${rowsMax}
      ON CONFLICT (endpoint_id) DO UPDATE SET events = events + 1;
    INSERT INTO outbox (endpoint_id, session_id, seq, kind, message_seq, at, queued_at, next_at)
    SELECT id, ${sessionId}, ${seq}, ${kind}, ${messageSeq.replace('SEQ', seq)}, ${at}, ${at},
      CASE state WHEN 'active' THEN ${at} END
    FROM webhook_endpoints
    WHERE ${isTold} AND queued < ${rowsMax};
  END`;
}

/** What was queued for an operator's endpoint that is no longer set goes to nobody. */
function setOperatorEndpoint(database: Database.Database, isOn: boolean): void {
  database.transaction(() => {
    database
      .prepare(
        `INSERT INTO webhook_endpoints (id, session_id, state, changed_at) VALUES (?, 0, ?, 0)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state`,
      )
      .run(operatorEndpointId, isOn ? 'active' : 'closed');
    if (isOn) return;
    database.prepare('DELETE FROM outbox WHERE endpoint_id = ? AND dead_at IS NULL').run(operatorEndpointId);
  })();
}
