// JobsStore on PostgreSQL. Rows of the outbox are written by the functions that write the events (migrations/), and
// leased with SKIP LOCKED, so that nodes never wait for each other. Made by open-postgres-store.ts.

import {
  type DeadDelivery,
  type DueDelivery,
  type JobsStore,
  type NewEndpoint,
  operatorEndpointId,
  type OutboxLease,
  type OutboxOverflow,
} from '../jobs-store.ts';
import { toInt8Array } from './binary-array.ts';
import type { Connections, Statement, Values } from './connections.ts';
import { asCallersError } from './database-fault.ts';
import { toKey } from './session-row.ts';

export interface PostgresJobsStoreOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
}

interface DueRow {
  readonly id: number;
  readonly lease: number;
  readonly endpoint_id: number;
  readonly sealed: Buffer | null;
  readonly session_key: Buffer;
  readonly seq: number;
  readonly kind: DueDelivery['kind'];
  readonly message_seq: number | null;
  readonly at: number;
  readonly attempts: number;
}

interface DeadRow {
  readonly id: number;
  readonly endpoint_id: number;
  readonly kind: string;
  readonly seq: number;
  readonly at: number;
  readonly dead_at: number;
  readonly attempts: number;
  readonly reason: string | null;
}

function statement(name: string, text: string): Statement {
  return { name: `mayfly_jobs_${name}`, text };
}

const now = 'mayfly.now_ms($1)';

const countEndpoints = statement(
  'count_endpoints',
  "SELECT count(*) AS count FROM mayfly.webhook_endpoints WHERE host_tag = $1 AND state <> 'closed'",
);
const addEndpoint = statement(
  'add_endpoint',
  `WITH added AS (
     INSERT INTO mayfly.webhook_endpoints (session_key, sealed, host_tag, state, changed_at)
     SELECT key, $3, $4, 'pending', ${now} FROM mayfly.sessions WHERE key = $2
     RETURNING id, session_key, changed_at
   )
   INSERT INTO mayfly.outbox (endpoint_id, session_key, seq, kind, at, queued_at, next_at)
   SELECT id, session_key, 0, 'webhook.challenge', changed_at, changed_at, changed_at FROM added
   RETURNING id`,
);
const setState = statement(
  'set_state',
  'UPDATE mayfly.webhook_endpoints SET state = $3, changed_at = mayfly.now_ms($1) WHERE id = $2',
);
const activateRows = statement(
  'activate_rows',
  `UPDATE mayfly.outbox SET next_at = ${now} WHERE endpoint_id = $2 AND next_at IS NULL AND dead_at IS NULL`,
);
/** Rows of a transaction that began before the endpoint was active and ended after. */
const activateLate = statement(
  'activate_late',
  `UPDATE mayfly.outbox o SET next_at = ${now} FROM mayfly.webhook_endpoints e
   WHERE o.next_at IS NULL AND o.dead_at IS NULL AND e.id = o.endpoint_id AND e.state = 'active'`,
);
const dropRows = statement(
  'drop_rows',
  'DELETE FROM mayfly.outbox WHERE endpoint_id = $1 AND dead_at IS NULL',
);
const leaseDue = statement(
  'lease_due',
  `WITH due AS MATERIALIZED (
     SELECT session_key, id, next_at FROM mayfly.outbox
     WHERE next_at <= ${now} AND endpoint_id <> ALL ($4)
     ORDER BY next_at, id LIMIT $3 FOR UPDATE SKIP LOCKED
   ), taken AS (
     UPDATE mayfly.outbox o SET next_at = ${now} + $2, lease = o.lease + 1
     FROM due WHERE o.session_key = due.session_key AND o.id = due.id
     RETURNING o.*, due.next_at AS due_at
   )
   SELECT t.*, e.sealed FROM taken t JOIN mayfly.webhook_endpoints e ON e.id = t.endpoint_id
   ORDER BY t.due_at, t.id`,
);
const finish = statement('finish', 'DELETE FROM mayfly.outbox WHERE id = $1 AND lease = $2 RETURNING id');
const postpone = statement(
  'postpone',
  `UPDATE mayfly.outbox SET next_at = ${now} + $4, attempts = attempts + $5
   WHERE id = $2 AND lease = $3 RETURNING id`,
);
const bury = statement(
  'bury',
  `UPDATE mayfly.outbox SET next_at = NULL, dead_at = ${now}, attempts = attempts + 1, reason = $4, lease = lease + 1
   WHERE id = $2 AND lease = $3 RETURNING id`,
);
const listDead = statement(
  'list_dead',
  'SELECT * FROM mayfly.outbox WHERE dead_at IS NOT NULL ORDER BY dead_at DESC, id DESC LIMIT $1',
);
const replayDead = statement(
  'replay_dead',
  `UPDATE mayfly.outbox SET next_at = ${now}, queued_at = ${now}, dead_at = NULL, reason = NULL, attempts = 0
   WHERE dead_at IS NOT NULL AND ($2::bigint IS NULL OR id = $2) RETURNING id`,
);
const buryOld = statement(
  'bury_old',
  `UPDATE mayfly.outbox SET next_at = NULL, dead_at = ${now}, lease = lease + 1, reason = 'not delivered in time'
   WHERE queued_at <= ${now} - $2 AND dead_at IS NULL`,
);
const dropDead = statement('drop_dead', `DELETE FROM mayfly.outbox WHERE dead_at <= ${now} - $2`);
const dropEndpoints = statement(
  'drop_endpoints',
  `DELETE FROM mayfly.webhook_endpoints e
   WHERE e.id <> $1
     AND NOT EXISTS (SELECT 1 FROM mayfly.outbox o WHERE o.endpoint_id = e.id)
     AND NOT EXISTS (SELECT 1 FROM mayfly.sessions s WHERE s.key = e.session_key AND s.ended_at IS NULL)`,
);
const dropForgotten = statement(
  'drop_forgotten',
  `DELETE FROM mayfly.outbox o
   WHERE NOT EXISTS (SELECT 1 FROM mayfly.sessions s WHERE s.key = o.session_key)`,
);
const takeOverflow = statement(
  'take_overflow',
  `WITH taken AS (DELETE FROM mayfly.outbox_overflow RETURNING endpoint_id, events)
   SELECT endpoint_id, sum(events)::bigint AS events FROM taken GROUP BY endpoint_id ORDER BY endpoint_id`,
);
const setOperator = statement(
  'set_operator',
  'UPDATE mayfly.webhook_endpoints SET state = $2 WHERE id = $1 AND state <> $2',
);

export class PostgresJobsStore implements JobsStore {
  readonly #connections: Connections;
  readonly #now: () => number | null;

  constructor(options: PostgresJobsStoreOptions) {
    this.#connections = options.connections;
    this.#now = options.now;
  }

  /** Called once at the start. What was queued for an endpoint that is no longer set goes to nobody. */
  async setOperatorEndpoint(isOn: boolean): Promise<void> {
    await this.#write(setOperator, [operatorEndpointId, isOn ? 'active' : 'closed']);
    if (!isOn) await this.#write(dropRows, [operatorEndpointId]);
  }

  async countEndpoints(hostTag: Uint8Array): Promise<number> {
    const rows = await asCallersError(this.#connections.read<{ count: number }>(countEndpoints, [hostTag]));
    return rows[0]?.count ?? 0;
  }

  addEndpoint({ key, sealed, hostTag }: NewEndpoint): Promise<boolean> {
    return this.#changes(addEndpoint, [this.#now(), key, sealed, hostTag]);
  }

  /** In one transaction with the rows that wait: an event between the two would be held back for ever. */
  async activateEndpoint(id: number): Promise<void> {
    await asCallersError(
      this.#connections.transaction(async (run) => {
        await run(setState, [this.#now(), id, 'active']);
        await run(activateRows, [this.#now(), id]);
      }),
    );
  }

  async closeEndpoint(id: number): Promise<void> {
    await this.#write(setState, [this.#now(), id, 'closed']);
    await this.#write(dropRows, [id]);
  }

  async leaseDue(request: {
    limit: number;
    leaseMs: number;
    except: readonly number[];
  }): Promise<DueDelivery[]> {
    const values = [this.#now(), request.leaseMs, request.limit, toInt8Array(request.except)];
    return (await this.#write<DueRow>(leaseDue, values)).map(toDue);
  }

  finish({ rowId, lease }: OutboxLease): Promise<boolean> {
    return this.#changes(finish, [rowId, lease]);
  }

  postpone({ rowId, lease }: OutboxLease, next: { delayMs: number; isTry: boolean }): Promise<boolean> {
    return this.#changes(postpone, [this.#now(), rowId, lease, next.delayMs, next.isTry ? 1 : 0]);
  }

  bury({ rowId, lease }: OutboxLease, reason: string): Promise<boolean> {
    return this.#changes(bury, [this.#now(), rowId, lease, reason]);
  }

  async listDead(limit: number): Promise<DeadDelivery[]> {
    return (await asCallersError(this.#connections.read<DeadRow>(listDead, [limit]))).map(toDead);
  }

  async replayDead(rowId: number | 'all'): Promise<number> {
    return (await this.#write(replayDead, [this.#now(), rowId === 'all' ? null : rowId])).length;
  }

  async takeOverflow(): Promise<OutboxOverflow[]> {
    const rows = await this.#write<{ endpoint_id: number; events: number }>(takeOverflow, []);
    return rows.map(({ endpoint_id: endpointId, events }) => ({ endpointId, events }));
  }

  async tidy({ giveUpMs, deadMs }: { giveUpMs: number; deadMs: number }): Promise<void> {
    await this.#write(buryOld, [this.#now(), giveUpMs]);
    await this.#write(dropDead, [this.#now(), deadMs]);
    await this.#write(dropEndpoints, [operatorEndpointId]);
    await this.#write(dropForgotten, []);
    await this.#write(activateLate, [this.#now()]);
  }

  async #changes(change: Statement, values: Values): Promise<boolean> {
    return (await this.#write(change, values)).length > 0;
  }

  #write<Row extends object>(change: Statement, values: Values): Promise<Row[]> {
    return asCallersError(this.#connections.write<Row>(change, values));
  }
}

function toDue(row: DueRow): DueDelivery {
  return {
    rowId: row.id,
    lease: row.lease,
    endpointId: row.endpoint_id,
    sealed: row.sealed,
    key: toKey(row.session_key),
    seq: row.seq,
    kind: row.kind,
    messageId: row.message_seq,
    at: row.at,
    attempts: row.attempts,
  };
}

function toDead(row: DeadRow): DeadDelivery {
  return {
    rowId: row.id,
    endpointId: row.endpoint_id,
    kind: row.kind,
    seq: row.seq,
    at: row.at,
    deadAt: row.dead_at,
    attempts: row.attempts,
    reason: row.reason ?? '',
  };
}
