// JobsStore on SQLite, in the same file and commits as the messages. Made by open-sqlite-store.ts.

import type { Database } from '#group-commit/driver';
import type { GroupCommit } from '#group-commit/group-commit';
import type { SessionKey } from '../../domain/session.ts';
import type { DueEndpoint, DueExcept, LeaseShare } from '#notifications/webhook-slots';
import {
  type DeadWebhook,
  type DueWebhook,
  type EndpointStatus,
  type JobsStore,
  type KeptContent,
  type NewEndpoint,
  operatorEndpointId,
  type OutboxOverflow,
  type OutboxLease,
  type OutboxSettings,
  type Subscriber,
  type TidyLimits,
  type TryVerdict,
} from '../jobs-store.ts';
import { type DeadRow, type StatusRow, toDead, toStatus } from '../webhook-rows.ts';
import { OutboxRows } from './rows/outbox-rows.ts';
import { OutboxTidying } from './rows/outbox-tidying.ts';
import { addOutboxTriggers } from './rows/outbox-triggers.ts';
import { toMessageRowId } from './rows/message-row-id.ts';
import type { SessionRows } from './rows/session-rows.ts';

interface RowChange {
  /** A statement up to its WHERE. */
  readonly sql: string;
  readonly values: readonly (number | string)[];
  /** The try's verdict on the endpoint, if it was a try. */
  readonly verdict: TryVerdict | undefined;
}

/** Counts endpoints that await their challenge, or belong to a live session and accept events. */
const countsOnHost = `SELECT count(*) FROM webhook_endpoints e WHERE host_tag = ? AND (
  state = 'pending' OR (state = 'active' AND EXISTS (
    SELECT 1 FROM session_states t WHERE t.session_id = e.session_id AND t.ended_at IS NULL AND t.expires_at > ?
  ))
)`;

/** Nothing is kept of a message or session that has gone meanwhile. */
const keepContent = `INSERT OR REPLACE INTO outbox_contents (outbox_id, session_id, message_seq, content)
  SELECT o.id, o.session_id, o.message_seq, ? FROM outbox o JOIN session_states t ON t.session_id = o.session_id
  WHERE o.session_id = ? AND o.message_seq = ? AND o.endpoint_id = ? AND o.kind = 'message.received'
    AND o.dead_at IS NULL AND t.ended_at IS NULL AND EXISTS (SELECT 1 FROM messages WHERE id = ?)`;

export interface SqliteJobsStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly outbox: OutboxSettings;
  readonly clock: () => number;
}

export class SqliteJobsStore implements JobsStore {
  readonly #database: Database.Database;
  readonly #commits: GroupCommit;
  readonly #sessions: SessionRows;
  readonly #clock: () => number;
  readonly #rows: OutboxRows;
  readonly #tidying: OutboxTidying;
  readonly #status;
  readonly #subscribers;
  readonly #keepContent;

  constructor({ database, commits, sessions, outbox, clock }: SqliteJobsStoreOptions) {
    this.#database = database;
    this.#commits = commits;
    this.#sessions = sessions;
    this.#clock = clock;
    addOutboxTriggers(database, outbox);
    this.#rows = new OutboxRows(database);
    this.#tidying = new OutboxTidying(database);
    this.#status = database.prepare<[number], StatusRow>(
      'SELECT state, last_error, queued, due_at FROM webhook_endpoints WHERE session_id = ? ORDER BY id LIMIT 1',
    );
    this.#subscribers = database.prepare<[number], Subscriber>(
      "SELECT id AS endpointId, sealed FROM webhook_endpoints WHERE session_id = ? AND state <> 'closed'",
    );
    this.#keepContent = database.prepare<[Uint8Array, number, number, number, number]>(keepContent);
  }

  countEndpoints(hostTag: Uint8Array): Promise<number> {
    const count = this.#database.prepare<[Uint8Array, number], number>(countsOnHost).pluck();
    return Promise.resolve(count.get(hostTag, this.#clock()) ?? 0);
  }

  addEndpoint({ key, sealed, hostTag, makerTag }: NewEndpoint): Promise<boolean> {
    return this.#commits.write(() => {
      const now = this.#clock();
      const sessionId = this.#sessions.findId(key);
      if (sessionId === undefined) return false;
      const { lastInsertRowid } = this.#database
        .prepare(
          `INSERT INTO webhook_endpoints (session_id, sealed, host_tag, maker_tag, state, changed_at)
           VALUES (?, ?, ?, ?, 'pending', ?)`,
        )
        .run(sessionId, sealed, hostTag, makerTag ?? null, now);
      this.#database
        .prepare(
          `INSERT INTO outbox (endpoint_id, session_id, session_key, seq, kind, at, queued_at, next_at)
           VALUES (?, ?, ?, 0, 'webhook.challenge', ?, ?, ?)`,
        )
        .run(lastInsertRowid, sessionId, key, now, now, now);
      return true;
    });
  }

  findEndpoint(key: SessionKey): Promise<EndpointStatus | undefined> {
    const sessionId = this.#sessions.findId(key);
    const row = sessionId === undefined ? undefined : this.#status.get(sessionId);
    return Promise.resolve(row && toStatus(row));
  }

  activateEndpoint(challenge: OutboxLease): Promise<boolean> {
    return this.#commits.write(() => {
      const id = this.#rows.change('DELETE FROM outbox', [], challenge);
      if (id === undefined) return false;
      const now = this.#clock();
      this.#setState(id, 'active', now);
      this.#database
        .prepare(
          'UPDATE outbox SET next_at = ? WHERE endpoint_id = ? AND next_at IS NULL AND dead_at IS NULL',
        )
        .run(now, id);
      this.#rows.settle(id, {}, now);
      return true;
    });
  }

  closeEndpoint(id: number, error: string): Promise<void> {
    return this.#commits.write(() => {
      const now = this.#clock();
      this.#setState(id, 'closed', now);
      this.#database.prepare('DELETE FROM outbox WHERE endpoint_id = ?').run(id);
      this.#rows.settle(id, { error }, now);
    });
  }

  #setState(id: number, state: string, now: number): void {
    this.#database
      .prepare('UPDATE webhook_endpoints SET state = ?, changed_at = ? WHERE id = ?')
      .run(state, now, id);
  }

  listDueEndpoints({
    limit,
    except,
  }: {
    readonly limit: number;
    readonly except: DueExcept;
  }): Promise<DueEndpoint[]> {
    return Promise.resolve(this.#rows.listDueEndpoints(this.#clock(), limit, except));
  }

  async leaseDue({
    leaseMs,
    shares,
  }: {
    readonly leaseMs: number;
    readonly shares: readonly LeaseShare[];
  }): Promise<DueWebhook[]> {
    // Usually there is nothing for the operator's endpoint: avoid the transaction.
    const isIdle = ({ endpointId }: LeaseShare): boolean =>
      endpointId === operatorEndpointId && !this.#rows.isDue(endpointId, this.#clock());
    const wanted = shares.filter((share) => !isIdle(share));
    if (wanted.length === 0) return [];
    return this.#commits.write(() => {
      const now = this.#clock();
      return wanted.flatMap((share) => this.#rows.lease(share, now, now + leaseMs));
    });
  }

  finish(lease: OutboxLease, verdict: TryVerdict = {}): Promise<boolean> {
    return this.#change(lease, { sql: 'DELETE FROM outbox', values: [], verdict });
  }

  postpone(
    lease: OutboxLease,
    { delayMs, isTry, ...verdict }: TryVerdict & { readonly delayMs: number; readonly isTry: boolean },
  ): Promise<boolean> {
    return this.#change(lease, {
      sql: 'UPDATE outbox SET next_at = ?, attempts = attempts + ?',
      values: [this.#clock() + delayMs, isTry ? 1 : 0],
      // Without a try there is no verdict on the endpoint.
      verdict: isTry ? verdict : undefined,
    });
  }

  bury(lease: OutboxLease, reason: string): Promise<boolean> {
    return this.#change(lease, {
      sql: 'UPDATE outbox SET next_at = NULL, dead_at = ?, attempts = attempts + 1, reason = ?, lease = lease + 1',
      values: [this.#clock(), reason],
      verdict: { error: reason },
    });
  }

  #change(lease: OutboxLease, { sql, values, verdict }: RowChange): Promise<boolean> {
    return this.#commits.write(() => {
      const endpointId = this.#rows.change(sql, values, lease);
      if (endpointId === undefined) return false;
      if (verdict) this.#rows.settle(endpointId, verdict, this.#clock());
      else this.#rows.refresh(endpointId);
      return true;
    });
  }

  listSubscribers(key: SessionKey): Promise<readonly Subscriber[]> {
    const sessionId = this.#sessions.findId(key);
    return Promise.resolve(sessionId === undefined ? [] : this.#subscribers.all(sessionId));
  }

  keepContents(contents: readonly KeptContent[]): Promise<KeptContent[]> {
    return this.#commits.write(() => {
      for (const { key, messageId, endpointId, content } of contents) {
        const sessionId = this.#sessions.findId(key);
        if (sessionId === undefined) continue;
        this.#keepContent.run(
          content,
          sessionId,
          messageId,
          endpointId,
          toMessageRowId(sessionId, messageId),
        );
      }
      // Rows are written with their events: those that are not there never will be.
      return [];
    });
  }

  countContentBytes(): Promise<number> {
    const count = this.#database.prepare<[], number>('SELECT total(length(content)) FROM outbox_contents');
    return Promise.resolve(count.pluck().get() ?? 0);
  }

  takeOverflow(): Promise<OutboxOverflow[]> {
    // Usually there is nothing: avoid the transaction.
    if (!this.#database.prepare('SELECT 1 FROM outbox_overflow LIMIT 1').get()) return Promise.resolve([]);
    return this.#commits.write(() =>
      this.#database
        .prepare<[], OutboxOverflow>(
          'DELETE FROM outbox_overflow RETURNING endpoint_id AS endpointId, events',
        )
        .all(),
    );
  }

  listDead(limit: number): Promise<DeadWebhook[]> {
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
        WHERE dead_at IS NOT NULL${which} RETURNING endpoint_id`;
      const now = this.#clock();
      const values = rowId === 'all' ? [now, now] : [now, now, rowId];
      const replayed = this.#database
        .prepare<number[], number>(sql)
        .pluck()
        .all(...values);
      for (const endpointId of new Set(replayed)) this.#rows.refresh(endpointId);
      return replayed.length;
    });
  }

  async tidy(limits: TidyLimits): Promise<void> {
    while (await this.#commits.write(() => this.#tidying.step(this.#clock(), limits)));
  }
}
