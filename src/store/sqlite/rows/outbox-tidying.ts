// Housekeeping of the outbox, in steps that never block the thread for long. Called by SqliteJobsStore, one
// transaction per step.

import type { Database } from '#group-commit/driver';

import { operatorEndpointId, type TidyLimits } from '../../jobs-store.ts';

/** Takes a few milliseconds, including the endpoints' counts. */
const rowsAtOnce = 500;

const liveSession = `SELECT 1 FROM session_states t WHERE t.session_id = webhook_endpoints.session_id AND t.ended_at IS NULL`;

export class OutboxTidying {
  readonly #bury;
  readonly #dropOld;
  readonly #crowded;
  readonly #dropBeyond;
  readonly #endPending;
  readonly #dropClosed;
  readonly #challenge;
  readonly #dropEndpoints;

  constructor(database: Database.Database) {
    // A challenge is never given up because of its age: it uses up its tries, or is removed with its endpoint.
    this.#bury = database.prepare<[number, number]>(
      `UPDATE outbox SET next_at = NULL, dead_at = ?, lease = lease + 1, reason = 'not delivered in time'
       WHERE id IN (
         SELECT id FROM outbox WHERE queued_at <= ? AND dead_at IS NULL AND kind <> 'webhook.challenge' LIMIT ${rowsAtOnce}
       )`,
    );
    this.#dropOld = database.prepare<[number]>(`DELETE FROM outbox WHERE dead_at <= ? LIMIT ${rowsAtOnce}`);
    this.#crowded = database
      .prepare<[number], number>('SELECT id FROM webhook_endpoints WHERE dead > ? LIMIT 1')
      .pluck();
    this.#dropBeyond = database.prepare<[number, number, number]>(
      `DELETE FROM outbox WHERE id IN (
         SELECT id FROM outbox WHERE endpoint_id = ? AND dead_at IS NOT NULL ORDER BY dead_at, id
         LIMIT min(${rowsAtOnce}, (SELECT dead - ? FROM webhook_endpoints WHERE id = ?))
       )`,
    );
    this.#endPending = database.prepare<[number]>(
      `UPDATE webhook_endpoints SET state = 'closed', due_at = NULL, changed_at = ?
       WHERE state = 'pending' AND NOT EXISTS (${liveSession})`,
    );
    this.#dropClosed = database.prepare(
      `DELETE FROM outbox WHERE endpoint_id IN (
         SELECT id FROM webhook_endpoints WHERE state = 'closed' AND queued + dead > 0 AND id <> ${operatorEndpointId}
       ) LIMIT ${rowsAtOnce}`,
    );
    this.#challenge = database.prepare<{ readonly now: number }>(
      `INSERT INTO outbox (endpoint_id, session_id, session_key, seq, kind, at, queued_at, next_at)
       SELECT e.id, e.session_id, s.key, 0, 'webhook.challenge', @now, @now, @now
       FROM webhook_endpoints e JOIN sessions s ON s.id = e.session_id
       WHERE e.state = 'pending' AND NOT EXISTS (
         SELECT 1 FROM outbox o WHERE o.endpoint_id = e.id AND o.kind = 'webhook.challenge' AND o.dead_at IS NULL
       )`,
    );
    this.#dropEndpoints = database.prepare(
      `DELETE FROM webhook_endpoints WHERE queued = 0 AND dead = 0 AND id <> ${operatorEndpointId}
       AND NOT EXISTS (${liveSession}) LIMIT ${rowsAtOnce}`,
    );
  }

  /** Performs one step; returns true when it reached its limit and there may be more to do. */
  step(now: number, { giveUpMs, deadMs, deadPerEndpoint }: TidyLimits): boolean {
    const changes = [
      this.#bury.run(now, now - giveUpMs).changes,
      this.#dropOld.run(now - deadMs).changes,
      this.#dropCrowd(deadPerEndpoint),
      this.#endPending.run(now).changes,
      this.#dropClosed.run().changes,
      this.#challenge.run({ now }).changes,
      this.#dropEndpoints.run().changes,
    ];
    return changes.some((count) => count >= rowsAtOnce);
  }

  #dropCrowd(deadPerEndpoint: number): number {
    if (!Number.isFinite(deadPerEndpoint)) return 0;
    const id = this.#crowded.get(deadPerEndpoint);
    if (id === undefined) return 0;
    this.#dropBeyond.run(id, deadPerEndpoint, id);
    // Another endpoint may have too many as well.
    return rowsAtOnce;
  }
}
