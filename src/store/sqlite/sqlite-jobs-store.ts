// JobsStore on SQLite, beside the messages and in their commits. Made by open-sqlite-store.ts.

import type Database from 'better-sqlite3';

import type { SessionKey } from '../../domain/session.ts';
import {
  type DeadDelivery,
  type DueDelivery,
  type JobsStore,
  type NewEndpoint,
  operatorEndpointId,
  type OutboxOverflow,
  type OutboxLease,
  type OutboxSettings,
} from '../jobs-store.ts';
import type { GroupCommit } from './group-commit.ts';
import type { OpenEndpoints } from './open-endpoints.ts';
import { addOutboxTriggers } from './outbox-triggers.ts';
import type { SessionRows } from './session-rows.ts';

interface DueRow {
  id: number;
  lease: number;
  endpoint_id: number;
  sealed: Uint8Array | null;
  key: Uint8Array;
  seq: number;
  kind: DueDelivery['kind'];
  message_seq: number | null;
  at: number;
  attempts: number;
}

interface DeadRow {
  id: number;
  endpoint_id: number;
  kind: string;
  seq: number;
  at: number;
  dead_at: number;
  attempts: number;
  reason: string | null;
}

function toDue(row: DueRow): DueDelivery {
  return {
    rowId: row.id,
    lease: row.lease + 1,
    endpointId: row.endpoint_id,
    sealed: row.sealed,
    key: row.key as SessionKey,
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

const selectDue = `SELECT o.*, e.sealed, s.key
  FROM outbox o JOIN webhook_endpoints e ON e.id = o.endpoint_id JOIN sessions s ON s.id = o.session_id
  WHERE o.next_at <= ? AND o.endpoint_id NOT IN (SELECT value FROM json_each(?))
  ORDER BY o.next_at LIMIT ?`;

export interface SqliteJobsStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly outbox: OutboxSettings;
  readonly endpoints: OpenEndpoints;
  readonly clock: () => number;
}

export class SqliteJobsStore implements JobsStore {
  readonly #database: Database.Database;
  readonly #commits: GroupCommit;
  readonly #sessions: SessionRows;
  readonly #clock: () => number;
  readonly #endpoints: OpenEndpoints;
  readonly #prepared = new Map<string, Database.Statement>();
  readonly #due;
  readonly #lease;
  readonly #anyDue;

  constructor({ database, commits, sessions, outbox, endpoints, clock }: SqliteJobsStoreOptions) {
    this.#database = database;
    this.#commits = commits;
    this.#sessions = sessions;
    this.#clock = clock;
    addOutboxTriggers(database, outbox);
    endpoints.look();
    this.#endpoints = endpoints;
    this.#due = database.prepare<[number, string, number], DueRow>(selectDue);
    this.#anyDue = database.prepare<[number]>('SELECT 1 FROM outbox WHERE next_at <= ? LIMIT 1');
    this.#lease = database.prepare<[number, number]>(
      'UPDATE outbox SET next_at = ?, lease = lease + 1 WHERE id = ?',
    );
  }

  countEndpoints(hostTag: Uint8Array): Promise<number> {
    const count = this.#database
      .prepare<[Uint8Array], number>(
        "SELECT count(*) FROM webhook_endpoints WHERE host_tag = ? AND state <> 'closed'",
      )
      .pluck()
      .get(hostTag);
    return Promise.resolve(count ?? 0);
  }

  addEndpoint({ key, sealed, hostTag }: NewEndpoint): Promise<boolean> {
    return this.#commits.write(() => {
      const now = this.#clock();
      const sessionId = this.#sessions.findId(key);
      if (sessionId === undefined) return false;
      this.#endpoints.expect();
      const { lastInsertRowid } = this.#database
        .prepare(
          `INSERT INTO webhook_endpoints (session_id, sealed, host_tag, state, changed_at)
           VALUES (?, ?, ?, 'pending', ?)`,
        )
        .run(sessionId, sealed, hostTag, now);
      this.#database
        .prepare(
          `INSERT INTO outbox (endpoint_id, session_id, seq, kind, at, queued_at, next_at)
           VALUES (?, ?, 0, 'webhook.challenge', ?, ?, ?)`,
        )
        .run(lastInsertRowid, sessionId, now, now, now);
      return true;
    });
  }

  activateEndpoint(id: number): Promise<void> {
    return this.#commits.write(() => {
      const now = this.#clock();
      this.#setState(id, 'active', now);
      this.#database
        .prepare(
          'UPDATE outbox SET next_at = ? WHERE endpoint_id = ? AND next_at IS NULL AND dead_at IS NULL',
        )
        .run(now, id);
    });
  }

  closeEndpoint(id: number): Promise<void> {
    return this.#commits.write(() => {
      this.#setState(id, 'closed', this.#clock());
      this.#database.prepare('DELETE FROM outbox WHERE endpoint_id = ? AND dead_at IS NULL').run(id);
      this.#endpoints.look();
    });
  }

  #setState(id: number, state: string, now: number): void {
    this.#database
      .prepare('UPDATE webhook_endpoints SET state = ?, changed_at = ? WHERE id = ?')
      .run(state, now, id);
  }

  async leaseDue(request: {
    limit: number;
    leaseMs: number;
    except: readonly number[];
  }): Promise<DueDelivery[]> {
    // Asked often, and mostly in vain: no transaction then.
    if (!this.#anyDue.get(this.#clock())) return [];
    return this.#commits.write(() => {
      const now = this.#clock();
      const rows = this.#due.all(now, JSON.stringify(request.except), request.limit);
      for (const row of rows) this.#lease.run(now + request.leaseMs, row.id);
      return rows.map(toDue);
    });
  }

  finish({ rowId, lease }: OutboxLease): Promise<boolean> {
    return this.#change('DELETE FROM outbox WHERE id = ? AND lease = ?', [rowId, lease]);
  }

  postpone({ rowId, lease }: OutboxLease, next: { delayMs: number; isTry: boolean }): Promise<boolean> {
    return this.#change('UPDATE outbox SET next_at = ?, attempts = attempts + ? WHERE id = ? AND lease = ?', [
      this.#clock() + next.delayMs,
      next.isTry ? 1 : 0,
      rowId,
      lease,
    ]);
  }

  bury({ rowId, lease }: OutboxLease, reason: string): Promise<boolean> {
    return this.#change(
      `UPDATE outbox SET next_at = NULL, dead_at = ?, attempts = attempts + 1, reason = ?, lease = lease + 1
       WHERE id = ? AND lease = ?`,
      [this.#clock(), reason, rowId, lease],
    );
  }

  #change(sql: string, values: readonly (number | string)[]): Promise<boolean> {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, statement);
    return this.#commits.write(() => statement.run(...values).changes > 0);
  }

  takeOverflow(): Promise<OutboxOverflow[]> {
    // Asked often, and mostly in vain: no transaction then.
    if (!this.#database.prepare('SELECT 1 FROM outbox_overflow LIMIT 1').get()) return Promise.resolve([]);
    return this.#commits.write(() =>
      this.#database
        .prepare<[], OutboxOverflow>(
          'DELETE FROM outbox_overflow RETURNING endpoint_id AS endpointId, events',
        )
        .all(),
    );
  }

  listDead(limit: number): Promise<DeadDelivery[]> {
    const rows = this.#database
      .prepare<[number], DeadRow>(
        'SELECT * FROM outbox WHERE dead_at IS NOT NULL ORDER BY dead_at DESC LIMIT ?',
      )
      .all(limit);
    return Promise.resolve(rows.map(toDead));
  }

  replayDead(rowId: number | 'all'): Promise<number> {
    return this.#commits.write(() => {
      const which = rowId === 'all' ? '' : ' AND id = ?';
      const sql = `UPDATE outbox SET next_at = ?, queued_at = ?, dead_at = NULL, reason = NULL, attempts = 0
        WHERE dead_at IS NOT NULL${which}`;
      const now = this.#clock();
      const values = rowId === 'all' ? [now, now] : [now, now, rowId];
      return this.#database.prepare(sql).run(...values).changes;
    });
  }

  tidy({ giveUpMs, deadMs }: { giveUpMs: number; deadMs: number }): Promise<void> {
    return this.#commits.write(() => {
      const now = this.#clock();
      this.#database
        .prepare(
          `UPDATE outbox SET next_at = NULL, dead_at = ?, lease = lease + 1, reason = 'not delivered in time'
           WHERE queued_at <= ? AND dead_at IS NULL`,
        )
        .run(now, now - giveUpMs);
      this.#database.prepare('DELETE FROM outbox WHERE dead_at <= ?').run(now - deadMs);
      this.#database
        .prepare(
          `DELETE FROM webhook_endpoints WHERE queued = 0 AND id <> ? AND NOT EXISTS
             (SELECT 1 FROM session_states t WHERE t.session_id = webhook_endpoints.session_id AND t.ended_at IS NULL)`,
        )
        .run(operatorEndpointId);
      this.#database
        .prepare(
          'DELETE FROM outbox WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = outbox.session_id)',
        )
        .run();
      this.#endpoints.look();
    });
  }
}
