// MailStore on one SQLite file, in the thread of the process that owns it. Reads are immediate, on the writer's
// connection; every write goes through the group commit. Made by open-sqlite-store.ts.

import type { Database } from '#group-commit/driver';
import type { CommitProgress } from '#group-commit/writer';
import type { GroupCommit } from '#group-commit/group-commit';
import { messageNotFound, sessionExpired } from '../../domain/gone.ts';
import { isRefusedWrite } from '../../domain/refused-write.ts';
import type { Session, SessionKey, SessionLookup } from '../../domain/session.ts';
import type {
  Delivery,
  DeliveryOutcome,
  EventPage,
  MailStore,
  MessageRange,
  NewAddress,
  NewSession,
  RenameOutcome,
  SessionQuota,
  SessionView,
  StoredMessage,
} from '../mail-store.ts';
import type { StoreObserver } from '../store-observer.ts';
import { AttemptRows } from './rows/attempt-rows.ts';
import { LargeDeliveries } from './large-deliveries.ts';
import { type DeliveryRow, MessageRows } from './rows/message-rows.ts';
import { NoteRows } from './rows/note-rows.ts';
import { ReclaimRows } from './rows/reclaim-rows.ts';
import type { LiveCopy } from '#group-commit/live-copy';
import { type SessionRow, type SessionRows, toLookup } from './rows/session-rows.ts';
import { ChunkRows } from './rows/chunk-rows.ts';

export interface SqliteMailStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly progress: Readonly<CommitProgress>;
  readonly sessions: SessionRows;
  readonly quota: SessionQuota;
  /** Instant in ms since 1970. */
  readonly clock: () => number;
  /** Called after a commit that extended a session's log. */
  readonly onNews: (key: SessionKey) => void;
  readonly copy: Pick<LiveCopy, 'removeStale'>;
  readonly close: () => Promise<void>;
  readonly observer: StoreObserver;
}

/** Reports whether the session must be ended before anything about it is returned. */
function isDue(row: SessionRow | undefined, now: number): row is SessionRow {
  return row?.ended_at === null && row.expires_at <= now;
}

export class SqliteMailStore implements MailStore {
  readonly #options: SqliteMailStoreOptions;
  readonly #sessions: SessionRows;
  readonly #messages: MessageRows;
  readonly #large: LargeDeliveries;
  readonly #notes: NoteRows;
  readonly #attempts: AttemptRows;
  readonly #reclaim: ReclaimRows;

  constructor(options: SqliteMailStoreOptions) {
    this.#options = options;
    this.#sessions = options.sessions;
    const chunks = new ChunkRows(options.database);
    this.#messages = new MessageRows(options.database, { ...options, chunks });
    this.#large = new LargeDeliveries({ ...options, chunks });
    this.#notes = new NoteRows(options.database);
    this.#attempts = new AttemptRows(options.database);
    this.#reclaim = new ReclaimRows(options.database);
  }

  async createSession(session: NewSession): Promise<Session | 'taken'> {
    const created = await this.#write((now) => this.#sessions.create(session, now));
    // Looking it up caches it for its first mail.
    if (created === 'taken') return created;
    this.#sessions.findRow(created.key);
    this.#options.observer.onSessionCreated();
    return created;
  }

  findSession(tokenHash: Uint8Array, view?: SessionView): Promise<SessionLookup> {
    return this.#view(() => this.#sessions.findRowByToken(tokenHash), view);
  }

  findSessionByKey(key: SessionKey, view?: SessionView): Promise<SessionLookup> {
    return this.#view(() => this.#sessions.findRow(key), view);
  }

  async #view(find: () => SessionRow | undefined, view: SessionView = 'on-disk'): Promise<SessionLookup> {
    return this.#lookUp(view === 'committed' ? find() : await this.#onDisk(find));
  }

  isAtEnd(key: SessionKey, seq: number): boolean {
    const row = this.#sessions.findKnown(key);
    return row?.ended_at === null && row.seq === seq && row.expires_at > this.#options.clock();
  }

  /**
   * Returns the row once no power cut can undo it: a reader that saw a message which is then lost would miss the next
   * one, which gets the same id.
   */
  async #onDisk(find: () => SessionRow | undefined): Promise<SessionRow | undefined> {
    const { progress, commits } = this.#options;
    for (;;) {
      const row = find();
      if (!row || row.changedIn <= progress.synced) return row;
      await commits.synced(row.changedIn);
    }
  }

  async findLiveSession(holder: string | SessionKey): Promise<Session | undefined> {
    const row =
      typeof holder === 'string' ? this.#sessions.findRowByAddress(holder) : this.#sessions.findRow(holder);
    const now = this.#options.clock();
    // Called for every recipient, and nearly always answered at once.
    const lookup = isDue(row, now) ? await this.#lookUp(row) : toLookup(row, now);
    return lookup.state === 'live' ? lookup.session : undefined;
  }

  /** A due session is ended before it is reported, so that it stays ended even if the clock goes back. */
  async #lookUp(row: SessionRow | undefined): Promise<SessionLookup> {
    const now = this.#options.clock();
    if (!isDue(row, now)) return toLookup(row, now);
    const key = row.key as SessionKey;
    try {
      return await this.#options.commits.write(() => {
        this.#sessions.takeLive(key, now);
        return toLookup(this.#sessions.findRow(key), now);
      });
    } catch (error) {
      // The session is over, even if a disk that takes no writes cannot record it.
      if (!isRefusedWrite(error)) throw error;
      return { state: 'ended' };
    } finally {
      this.#options.onNews(key);
    }
  }

  async extendSession(key: SessionKey, lifetimeMs: number): Promise<Session | undefined> {
    const session = await this.#write((now) => this.#sessions.extend(key, lifetimeMs, now));
    this.#options.onNews(key);
    return session;
  }

  async renameSession(key: SessionKey, to: NewAddress): Promise<RenameOutcome> {
    const outcome = await this.#write((now) => this.#sessions.rename(key, to, now));
    this.#options.onNews(key);
    return outcome;
  }

  async endSession(key: SessionKey): Promise<boolean> {
    const isEnded = await this.#write((now) => {
      const row = this.#sessions.takeLive(key, now);
      if (row) this.#sessions.end(row, now);
      return row !== undefined;
    });
    this.#options.onNews(key);
    return isEnded;
  }

  async deliver(deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]> {
    const outcomes = LargeDeliveries.isLarge(deliveries)
      ? await this.#large.run(deliveries, (staged) => this.#deliver(staged))
      : await this.#deliver(deliveries);
    for (const { key } of deliveries) this.#options.onNews(key);
    return outcomes;
  }

  #deliver(deliveries: readonly DeliveryRow[]): Promise<DeliveryOutcome[]> {
    return this.#write((now) => this.#messages.deliverAll(deliveries, now));
  }

  async listMessages(key: SessionKey, range: MessageRange): Promise<StoredMessage[]> {
    const { id } = await this.#findLive(key);
    return this.#messages.list(id, range);
  }

  async findMessage(key: SessionKey, id: number): Promise<StoredMessage | undefined> {
    const { id: sessionId } = await this.#findLive(key);
    return this.#messages.find(sessionId, id);
  }

  /** @throws MayflyError session_expired when it has ended */
  async #findLive(key: SessionKey): Promise<SessionRow> {
    const row = await this.#onDisk(() => this.#sessions.findRow(key));
    if (row?.ended_at === null) return row;
    throw sessionExpired();
  }

  // Reads chunk by chunk with a turn of the event loop between: no read transaction outlives a chunk.
  async *readRaw(key: SessionKey, id: number): AsyncGenerator<Uint8Array> {
    for (let number = 0; ; number++) {
      // Later chunks may still exist when the message or session has gone.
      const row = this.#sessions.findRow(key);
      if (row?.ended_at !== null) throw sessionExpired();
      if (number > 0 && !this.#messages.exists(row.id, id)) throw messageNotFound();
      const chunk = this.#messages.readChunk(row.id, id, number);
      if (!chunk && number === 0) throw messageNotFound();
      if (!chunk) return;
      if (chunk.length > 0) yield chunk;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async markRead(key: SessionKey, id: number): Promise<void> {
    // No reader is given its numbers before they are on disk (#onDisk).
    await this.#note(() => void this.#setRead(key, id, { isRead: true, now: this.#options.clock() }));
    this.#options.onNews(key);
  }

  async setRead(key: SessionKey, id: number, isRead: boolean): Promise<boolean> {
    const isThere = await this.#write((now) => this.#setRead(key, id, { isRead, now }));
    this.#options.onNews(key);
    if (isThere === undefined) throw sessionExpired();
    return isThere;
  }

  /** Returns undefined when the session is not live. */
  #setRead(key: SessionKey, id: number, change: { isRead: boolean; now: number }): boolean | undefined {
    const row = this.#sessions.takeLive(key, change.now);
    if (!row) return undefined;
    this.#sessions.forget(key);
    return this.#messages.setRead(row.id, id, change);
  }

  keepGlance(key: SessionKey, id: number, glance: Uint8Array): Promise<void> {
    return this.#note(() => {
      const sessionId = this.#sessions.findId(key);
      if (sessionId !== undefined) this.#notes.keepGlance(sessionId, id, glance);
    }, 'join');
  }

  findAuthentication(key: SessionKey, id: number): Promise<Uint8Array | undefined> {
    const sessionId = this.#sessions.findId(key);
    return Promise.resolve(
      sessionId === undefined ? undefined : this.#notes.findAuthentication(sessionId, id),
    );
  }

  keepAuthentication(key: SessionKey, id: number, authentication: Uint8Array): Promise<void> {
    return this.#note(() => {
      const sessionId = this.#sessions.findId(key);
      if (sessionId !== undefined) this.#notes.keepAuthentication(sessionId, id, authentication);
    });
  }

  async deleteMessage(key: SessionKey, id: number, attempt?: Uint8Array): Promise<boolean> {
    const isDeleted = await this.#write((now) => {
      const row = this.#sessions.takeLive(key, now);
      if (!row) return undefined;
      const message = this.#messages.find(row.id, id);
      if (!message) return false;
      if (attempt) this.#attempts.add(row.id, { at: message.receivedAt, sealed: attempt });
      this.#sessions.forget(key);
      return this.#messages.delete(row.id, id, { kind: 'message.deleted', at: now });
    });
    this.#options.onNews(key);
    if (isDeleted === undefined) throw sessionExpired();
    return isDeleted;
  }

  async listEvents(key: SessionKey, after: number, limit: number): Promise<EventPage> {
    const row = await this.#onDisk(() => this.#sessions.findRow(key));
    if (!row) return { events: [], reset: false };
    return this.#messages.listEvents(row.id, row.seq, { after, limit });
  }

  async endDueSessions(limit: number): Promise<number> {
    const ended = await this.#write((now) => {
      const due = this.#sessions.listDue(now, limit);
      for (const row of due) this.#sessions.end(row, now);
      return due;
    });
    for (const row of ended) this.#options.onNews(row.key as SessionKey);
    return ended.length;
  }

  async reclaim(budgetMs: number): Promise<boolean> {
    this.#options.copy.removeStale();
    return this.#write((now) => {
      const until = performance.now() + budgetMs;
      return this.#reclaim.run(now, () => performance.now() >= until);
    });
  }

  close(): Promise<void> {
    return this.#options.close();
  }

  /** Stores by-products of reading, with no sync of their own; a full disk must not prevent reading. */
  async #note(work: () => void, how: 'writeLoosely' | 'join' = 'writeLoosely'): Promise<void> {
    try {
      await this.#options.commits[how](work);
    } catch (error) {
      if (!isRefusedWrite(error)) throw error;
    }
  }

  #write<T>(work: (now: number) => T): Promise<T> {
    return this.#options.commits.write(() => work(this.#options.clock()));
  }
}
