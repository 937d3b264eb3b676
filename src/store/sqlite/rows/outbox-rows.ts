// Rows of the outbox and the due times of their endpoints, which change together. Runs in the writer's transactions;
// owned by SqliteJobsStore.

import type { Database } from '#group-commit/driver';

import type { DueEndpoint, DueExcept, LeaseShare } from '#notifications/webhook-slots';
import type { DueWebhook, OutboxLease, TryVerdict } from '../../jobs-store.ts';
import { type DueRow, toDue } from '../../webhook-rows.ts';

interface DueEndpointRow {
  readonly id: number;
  readonly host_tag: Uint8Array | null;
  readonly maker_tag: Uint8Array | null;
}

/** By state, failure of the last try, and due time, so that rows of one standing are adjacent and ordered. */
const selectEndpoints = `SELECT id, host_tag, maker_tag FROM webhook_endpoints
  WHERE state = ? AND (last_error IS NOT NULL) = ? AND due_at <= ? AND session_id <> 0
    AND id NOT IN (SELECT value FROM json_each(?))
    AND coalesce(hex(host_tag), '') NOT IN (SELECT value FROM json_each(?))
    AND coalesce(hex(maker_tag), '') NOT IN (SELECT value FROM json_each(?))
  ORDER BY due_at LIMIT ?`;

/** By state, and whether the last try failed. */
const standings = [
  ['active', 'active', 0],
  ['failing', 'active', 1],
  ['pending', 'pending', 0],
  ['pending', 'pending', 1],
] as const;

const toHex = (tags: readonly Uint8Array[]): string =>
  JSON.stringify(tags.map((tag) => Buffer.from(tag).toString('hex').toUpperCase()));

export class OutboxRows {
  readonly #database: Database.Database;
  readonly #prepared = new Map<string, Database.Statement>();
  readonly #endpoints;
  readonly #due;
  readonly #isDue;
  readonly #lease;
  readonly #serve;
  readonly #refresh;
  readonly #fail;
  readonly #clearError;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#endpoints = database.prepare<unknown[], DueEndpointRow>(selectEndpoints);
    this.#due = database.prepare<[number, number, number], DueRow>(
      `SELECT o.*, e.sealed, c.content FROM outbox o JOIN webhook_endpoints e ON e.id = o.endpoint_id
       LEFT JOIN outbox_contents c ON c.outbox_id = o.id
       WHERE o.endpoint_id = ? AND o.next_at <= ? ORDER BY o.next_at LIMIT ?`,
    );
    this.#isDue = database.prepare<[number, number]>(
      'SELECT 1 FROM outbox WHERE endpoint_id = ? AND next_at <= ? LIMIT 1',
    );
    this.#lease = database.prepare<[number, number]>(
      'UPDATE outbox SET next_at = ?, lease = lease + 1 WHERE id = ?',
    );
    this.#serve = database.prepare<[number, number]>(
      'UPDATE webhook_endpoints SET served_at = ? WHERE id = ?',
    );
    this.#refresh = database.prepare<{ readonly id: number }>(
      `UPDATE webhook_endpoints SET due_at = max(
         (SELECT min(next_at) FROM outbox WHERE endpoint_id = @id AND next_at IS NOT NULL), served_at, rests_until
       ) WHERE id = @id`,
    );
    this.#fail = database.prepare<[string, number, number]>(
      'UPDATE webhook_endpoints SET last_error = ?, rests_until = max(rests_until, ?) WHERE id = ?',
    );
    this.#clearError = database.prepare<[number]>(
      'UPDATE webhook_endpoints SET last_error = NULL, rests_until = 0 WHERE id = ? AND last_error IS NOT NULL',
    );
  }

  listDueEndpoints(now: number, limit: number, except: DueExcept): DueEndpoint[] {
    const excepted = [JSON.stringify(except.endpoints), toHex(except.hostTags), toHex(except.makerTags)];
    return standings.flatMap(([standing, state, hasFailed]) => {
      if (except.standings.includes(standing)) return [];
      const rows = this.#endpoints.all(state, hasFailed, now, ...excepted, limit);
      return rows.map((row) => ({
        endpointId: row.id,
        standing,
        hostTag: row.host_tag,
        makerTag: row.maker_tag,
      }));
    });
  }

  isDue(endpointId: number, now: number): boolean {
    return this.#isDue.get(endpointId, now) !== undefined;
  }

  lease({ endpointId, rows }: LeaseShare, now: number, until: number): DueWebhook[] {
    const due = this.#due.all(endpointId, now, rows);
    for (const row of due) this.#lease.run(until, row.id);
    this.#serve.run(now, endpointId);
    this.refresh(endpointId);
    return due.map((row) => toDue({ ...row, lease: row.lease + 1 }));
  }

  /** Changes the leased row and returns its endpoint; undefined when the lease was void. */
  change(
    sql: string,
    values: readonly (number | string)[],
    { rowId, lease }: OutboxLease,
  ): number | undefined {
    const text = `${sql} WHERE id = ? AND lease = ? RETURNING endpoint_id`;
    const statement = this.#prepared.get(text) ?? this.#database.prepare(text).pluck();
    this.#prepared.set(text, statement);
    return statement.get(...values, rowId, lease) as number | undefined;
  }

  /** Records a try's verdict on the endpoint, after its rows have changed. */
  settle(endpointId: number, { error, restMs = 0 }: TryVerdict, now: number): void {
    if (error === undefined) this.#clearError.run(endpointId);
    else this.#fail.run(error, restMs === 0 ? 0 : now + restMs, endpointId);
    this.refresh(endpointId);
  }

  /** Recomputes the due time after a change of the endpoint's rows or rest. */
  refresh(endpointId: number): void {
    this.#refresh.run({ id: endpointId });
  }
}
