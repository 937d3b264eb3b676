// MailStore on PostgreSQL, shared by any number of nodes: memory holds only what never changes and, for a while, the
// holders of addresses. Deliveries go through the group commit, everything else is a statement. Made by
// open-postgres-store.ts.

import { BatchedLookup, type Lookup } from '#postgres/batched-lookup';
import { toByteaArray } from '#postgres/binary-array';
import type { Connections, Statement, Values } from '#postgres/connections';
import { attemptLogMaxEntries } from '../../domain/attempt.ts';
import { isCapture } from '../../domain/addresses/capture.ts';
import { type EventKind, eventLogMaxEntries } from '../../domain/event.ts';
import { messageNotFound, sessionExpired } from '../../domain/gone.ts';
import { endedKnownMs } from '../../domain/limits.ts';
import type { Session, SessionKey, SessionLookup } from '../../domain/session.ts';
import type { Lease } from '../lease-store.ts';
import type {
  Delivery,
  DeliveryOutcome,
  EventPage,
  MailStore,
  MessageRange,
  NewAddress,
  NewSession,
  RenameOutcome,
  StoredMessage,
} from '../mail-store.ts';
import { toNewSession } from '../new-session.ts';
import type { StoreObserver } from '../store-observer.ts';
import { asCallersError, unavailable } from './database/callers-error.ts';
import { KnownBuckets } from './known-buckets.ts';
import type { KnownHolders } from './known-holders.ts';
import { underLease } from './lease-fence.ts';
import { LargeDeliveries, type LargeDeliveriesOptions } from './delivery/large-deliveries.ts';
import { type ChunkRow, type ListedRow, readChunks, toStoredMessages } from './delivery/message-row.ts';
import { isDue, type SessionRow, toKey, toLookup } from './session-row.ts';
import * as sql from './statements.ts';
import type { Groups, Path, SessionLookups } from './topology.ts';

export interface PostgresMailStoreOptions extends Omit<LargeDeliveriesOptions, 'bucketOf'> {
  readonly connections: Connections;
  readonly groups: Groups;
  readonly createLookups: Path['createLookups'];
  readonly holders: KnownHolders;
  /** Called after a commit that extended a session's log. */
  readonly onNews: (key: SessionKey) => void;
  readonly onEnded: (key: SessionKey) => void;
  readonly observer: Pick<StoreObserver, 'onSessionCreated'>;
  readonly close: () => Promise<void>;
}

/** Deliveries with more raw bytes are not gathered in memory. */
const largeBytes = 256 * 1024;
const seqMax = 2 ** 31 - 1;

interface EventRow {
  readonly seq: number;
  readonly kind: EventKind;
  readonly at: number;
  readonly message_seq: number | null;
}

interface CreatedRow {
  readonly o_outcome: string;
  readonly o_at: number;
  readonly o_bucket: number;
}

export class PostgresMailStore implements MailStore {
  readonly #options: PostgresMailStoreOptions;
  readonly #connections: Connections;
  readonly #byKey: Lookup<Uint8Array, SessionRow>;
  readonly #byAddress: Lookup<Uint8Array, SessionRow>;
  readonly #large: LargeDeliveries;
  readonly #buckets: KnownBuckets;

  constructor(options: PostgresMailStoreOptions) {
    this.#options = options;
    this.#connections = options.connections;
    const tooMany = (): Error => unavailable(new Error('Too many look-ups are waiting.'));
    const own: SessionLookups = {
      byKey: new BatchedLookup((keys) => this.#findRows(sql.findSessions, keys), tooMany),
      byAddress: new BatchedLookup((keys) => this.#findRows(sql.findHolders, keys), tooMany),
    };
    ({ byKey: this.#byKey, byAddress: this.#byAddress } = options.createLookups(own));
    this.#buckets = new KnownBuckets(async (key) => {
      const rows = await this.#connections.read<{ bucket: number }>(sql.findBucket, [key]);
      return rows[0]?.bucket;
    });
    this.#large = new LargeDeliveries({ ...options, bucketOf: (key) => this.#buckets.get(key) });
  }

  async createSession(given: NewSession): Promise<Session | 'taken'> {
    const values = [
      this.#options.now(),
      ...[
        given.key,
        given.tokenHash,
        Buffer.from(given.address),
        Buffer.from(given.addressKey),
        given.publicKey,
        given.salt,
      ],
      ...[given.lifetimeMs, given.totalLifetimeMs, given.quarantineMs],
      ...[given.accountId ?? null, given.dropsOldest ?? false],
      this.#options.outboxRows,
    ];
    return this.#options.holders.ask(async (learn) => {
      const created = await this.#createIn(values);
      if (created === 'taken') return 'taken';
      this.#buckets.learn(given.key, created.o_bucket);
      this.#options.observer.onSessionCreated();
      const session = toNewSession(given, created.o_at);
      learn(given.addressKey, { session, seenAt: created.o_at });
      return session;
    });
  }

  /** Creates the session in an existing bucket. */
  async #createIn(values: Values): Promise<CreatedRow | 'taken'> {
    let created = await this.#create(values);
    if (created.o_outcome === 'no bucket') {
      await this.#write(sql.makeBucket, [created.o_bucket]);
      created = await this.#create(values);
    }
    if (created.o_outcome === 'taken') return 'taken';
    if (created.o_outcome !== 'created') throw new Error(`The session was not created: ${created.o_outcome}`);
    return created;
  }

  async #create(values: Values): Promise<CreatedRow> {
    // Repeating it with the same key gives the same result, so a lost response does no harm.
    const [row] = await this.#ask<CreatedRow>(sql.createSession, values);
    if (!row) throw new Error('create_session answered nothing.');
    return row;
  }

  async findSession(tokenHash: Uint8Array): Promise<SessionLookup> {
    const row = await this.#find(this.#byKey, tokenHash.subarray(0, 16));
    return toLookup(row && Buffer.compare(row.o_token_hash, tokenHash) === 0 ? row : undefined);
  }

  async findSessionByKey(key: SessionKey): Promise<SessionLookup> {
    return toLookup(await this.#find(this.#byKey, key));
  }

  /** Only the database has the answer; simultaneous queries share a statement. */
  isAtEnd(): boolean {
    return false;
  }

  async findLiveSession(holder: string | SessionKey): Promise<Session | undefined> {
    const { holders } = this.#options;
    const known = holders.find(holder);
    if (known) return known;
    return holders.ask(async (learn) => {
      const lookup = toLookup(
        typeof holder === 'string'
          ? await this.#find(this.#byAddress, Buffer.from(holder))
          : await this.#find(this.#byKey, holder),
      );
      if (lookup.state !== 'live') return undefined;
      const { session, now: seenAt } = lookup;
      // A session queried by its key has no other form of its address here.
      if (typeof holder === 'string') learn(holder, { session, seenAt });
      else if (isCapture(session)) learn(session.address, { session, seenAt });
      return session;
    });
  }

  /** A session that is due is ended before it is reported, so that it stays ended even if the clock goes back. */
  async #find(lookup: Lookup<Uint8Array, SessionRow>, key: Uint8Array): Promise<SessionRow | undefined> {
    const row = await asCallersError(lookup.find(key));
    if (row) this.#buckets.learn(row.o_key, row.o_bucket);
    if (!isDue(row)) return row;
    const sessionKey = toKey(row.o_key);
    await this.#write(sql.endIfDue, [this.#options.now(), sessionKey, this.#options.outboxRows]);
    this.recordEnded([sessionKey]);
    return asCallersError(this.#byKey.find(sessionKey));
  }

  async #findRows(
    statement: Statement,
    keys: readonly Uint8Array[],
  ): Promise<readonly (SessionRow | undefined)[]> {
    const values = [this.#options.now(), toByteaArray(keys)];
    const found: (SessionRow | undefined)[] = keys.map(() => undefined);
    for (const row of await this.#connections.read<SessionRow>(statement, values)) {
      found[row.o_place - 1] = row;
    }
    return found;
  }

  async extendSession(key: SessionKey, lifetimeMs: number): Promise<Session | undefined> {
    const { now, outboxRows } = this.#options;
    const isLive = await this.#do(sql.extendSession, [now(), key, lifetimeMs, outboxRows]);
    this.#recordChanged(key);
    if (!isLive) return undefined;
    const lookup = await this.findSessionByKey(key);
    return lookup.state === 'live' ? lookup.session : undefined;
  }

  async renameSession(
    key: SessionKey,
    { address, addressKey, quarantineMs }: NewAddress,
  ): Promise<RenameOutcome> {
    const { now, outboxRows } = this.#options;
    const to = [Buffer.from(address), Buffer.from(addressKey), quarantineMs];
    const [row] = await this.#write<{ outcome: 'renamed' | 'taken' | 'alias' | 'ended' }>(sql.renameSession, [
      now(),
      key,
      ...to,
      outboxRows,
    ]);
    if (!row) throw new Error('rename_session answered nothing.');
    this.#recordChanged(key);
    if (row.outcome !== 'renamed') return row.outcome;
    const lookup = await this.findSessionByKey(key);
    return lookup.state === 'live' ? lookup.session : 'ended';
  }

  async endSession(key: SessionKey): Promise<boolean> {
    const isEnded = await this.#do(sql.endSession, [this.#options.now(), key, this.#options.outboxRows]);
    this.recordEnded([key]);
    return isEnded;
  }

  async deliver(deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]> {
    if (deliveries.length === 0) return [];
    const bytes = deliveries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const outcomes = await asCallersError(
      bytes > largeBytes ? this.#large.deliver(deliveries) : this.#options.groups.deliver(deliveries),
    );
    const { holders, onNews } = this.#options;
    for (const [at, { key, sizeBytes }] of deliveries.entries()) {
      const outcome = outcomes[at];
      if (outcome?.outcome !== 'stored') {
        holders.forget(key);
        continue;
      }
      holders.recordStored(key, { id: outcome.id, sizeBytes });
      onNews(key);
    }
    return outcomes;
  }

  async listMessages(key: SessionKey, range: MessageRange): Promise<StoredMessage[]> {
    const bucket = await this.#bucketOf(key);
    if (bucket === undefined) throw sessionExpired();
    const { after = 0, before = Infinity, limit, order } = range;
    const statement = order === 'newest-first' ? sql.listNewest : sql.listOldest;
    const values = [bucket, key, toFloor(after), Math.min(Math.ceil(before), seqMax), limit];
    return toStoredMessages(await this.#ask<ListedRow>(statement, values));
  }

  async findMessage(key: SessionKey, id: number): Promise<StoredMessage | undefined> {
    if (!isMessageId(id)) return void (await this.#requireLive(key));
    const range = { after: id - 1, before: id + 1, limit: 1, order: 'oldest-first' } as const;
    return (await this.listMessages(key, range))[0];
  }

  /** One statement per chunk: no transaction or cursor is held between them. */
  async *readRaw(key: SessionKey, id: number): AsyncGenerator<Uint8Array> {
    const bucket = isMessageId(id) ? await this.#bucketOf(key) : undefined;
    const ask = (number: number) => this.#ask<ChunkRow>(sql.readChunk, [bucket ?? 0, key, id, number]);
    if (bucket !== undefined && (yield* readChunks(ask))) return;
    await this.#requireLive(key);
    throw messageNotFound();
  }

  async markRead(key: SessionKey, id: number): Promise<void> {
    await this.#mark(key, id, true);
  }

  async setRead(key: SessionKey, id: number, isRead: boolean): Promise<boolean> {
    const isThere = await this.#mark(key, id, isRead);
    if (!isThere) await this.#requireLive(key);
    return isThere;
  }

  async #mark(key: SessionKey, id: number, isRead: boolean): Promise<boolean> {
    const { now, outboxRows } = this.#options;
    const isThere = await this.#do(sql.setRead, [now(), key, isMessageId(id) ? id : 0, isRead, outboxRows]);
    this.#recordChanged(key);
    return isThere;
  }

  keepGlance(key: SessionKey, id: number, glance: Uint8Array): Promise<void> {
    return this.#keepNote(key, id, [glance, null]);
  }

  keepAuthentication(key: SessionKey, id: number, authentication: Uint8Array): Promise<void> {
    return this.#keepNote(key, id, [null, authentication]);
  }

  async #keepNote(key: SessionKey, id: number, note: Values): Promise<void> {
    const bucket = isMessageId(id) ? await this.#bucketOf(key) : undefined;
    if (bucket !== undefined) await this.#write(sql.keepNote, [bucket, key, id, ...note]);
  }

  async findAuthentication(key: SessionKey, id: number): Promise<Uint8Array | undefined> {
    const bucket = isMessageId(id) ? await this.#bucketOf(key) : undefined;
    if (bucket === undefined) return undefined;
    const values = [bucket, key, id];
    const rows = await this.#ask<{ authentication: Buffer | null }>(sql.findAuthentication, values);
    return rows[0]?.authentication ?? undefined;
  }

  async deleteMessage(key: SessionKey, id: number, attempt?: Uint8Array): Promise<boolean> {
    const { now, outboxRows } = this.#options;
    // Whatever the id, this read must end a session that is due.
    const seq = isMessageId(id) ? id : 0;
    const values = [now(), key, seq, attempt ?? null, attemptLogMaxEntries, outboxRows];
    const isDeleted = await this.#do(sql.deleteMessage, values);
    this.#recordChanged(key);
    if (!isDeleted) await this.#requireLive(key);
    return isDeleted;
  }

  async listEvents(key: SessionKey, after: number, limit: number): Promise<EventPage> {
    const row = await asCallersError(this.#byKey.find(key));
    if (!row) return { events: [], reset: false };
    const oldestKept = row.o_seq - eventLogMaxEntries;
    const from = toFloor(Math.max(after, oldestKept, 0));
    const rows = await this.#ask<EventRow>(sql.listEvents, [row.o_bucket, key, from, limit]);
    const events = rows.map(({ seq, kind, at, message_seq: messageId }) => ({ seq, kind, at, messageId }));
    return { events, reset: after < oldestKept };
  }

  async endDueSessions(limit: number, lease?: Lease): Promise<number> {
    const values = [this.#options.now(), limit, this.#options.outboxRows];
    const rows = await this.#write<{ key: Buffer }>(...underLease(sql.endDue, values, lease));
    this.recordEnded(rows.map(({ key }) => toKey(key)));
    return rows.length;
  }

  async reclaim(budgetMs: number, lease?: Lease): Promise<boolean> {
    const until = performance.now() + budgetMs;
    while (await this.#do(...underLease(sql.reclaimStep, [this.#options.now(), endedKnownMs], lease))) {
      if (performance.now() >= until) return true;
    }
    return false;
  }

  close(): Promise<void> {
    return this.#options.close();
  }

  /** Records sessions that a statement of this node ended. */
  recordEnded(keys: readonly SessionKey[]): void {
    for (const key of keys) {
      this.#options.onEnded(key);
      this.#recordChanged(key);
    }
  }

  /** Called for changes other than a received message. */
  #recordChanged(key: SessionKey): void {
    this.#options.holders.forget(key);
    this.#options.onNews(key);
  }

  /** @throws MayflyError session_expired */
  async #requireLive(key: SessionKey): Promise<void> {
    if ((await this.findSessionByKey(key)).state !== 'live') throw sessionExpired();
  }

  #bucketOf(key: SessionKey): Promise<number | undefined> {
    return asCallersError(this.#buckets.get(key));
  }

  #ask<Row extends object>(statement: Statement, values: Values): Promise<Row[]> {
    return asCallersError(this.#connections.read<Row>(statement, values));
  }

  #write<Row extends object>(statement: Statement, values: Values): Promise<Row[]> {
    return asCallersError(this.#connections.write<Row>(statement, values));
  }

  async #do(statement: Statement, values: Values): Promise<boolean> {
    const rows = await this.#write<{ done: boolean }>(statement, values);
    return rows[0]?.done === true;
  }
}

function isMessageId(id: number): boolean {
  return Number.isInteger(id) && id >= 1 && id <= seqMax;
}

/** For positions of any size that callers pass. */
function toFloor(position: number): number {
  return Math.floor(Math.min(Math.max(position, 0), seqMax));
}
