// Messages, their chunks and the log in SQLite. Writing runs in the writer's transactions; owned by SqliteMailStore.

import type { Database } from '#group-commit/driver';
import type { CommitProgress } from '#group-commit/writer';
import { type EventKind, eventLogMaxEntries, type SessionEvent } from '../../../domain/event.ts';
import { sealedChunkMaxBytes } from '../../../domain/limits.ts';
import type { SessionKey } from '../../../domain/session.ts';
import type {
  Delivery,
  DeliveryOutcome,
  EventPage,
  MessageRange,
  SessionQuota,
  StoredMessage,
} from '../../mail-store.ts';
import { dropsMax } from '../../mail-store.ts';
import { withholdIfFull } from '../../withhold-if-full.ts';
import { seqMax, seqOf, toMessageRowId, toRowBound, toRowId } from './message-row-id.ts';
import { OriginRows } from './origin-rows.ts';
import type { SessionRow, SessionRows } from './session-rows.ts';
import type { ChunkRows } from './chunk-rows.ts';

const noBytes = Buffer.alloc(0);

/** A delivery to be written. */
export interface DeliveryRow extends Delivery {
  /** The staging id of its chunks after the first, if they are already in the store. */
  readonly chunksId?: number;
}

interface MessageRowsOptions {
  readonly quota: SessionQuota;
  readonly sessions: SessionRows;
  readonly progress: Readonly<CommitProgress>;
  readonly chunks: ChunkRows;
}

interface MessageRow {
  id: number;
  received_at: number;
  size_bytes: number;
  meta: Uint8Array;
  is_read: number | null;
  glance: Uint8Array | null;
}

interface EventRange {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

interface EventRow {
  id: number;
  kind: EventKind;
  at: number;
  message_seq: number | null;
}

function toStoredMessage(row: MessageRow): StoredMessage {
  return {
    id: seqOf(row.id),
    sizeBytes: row.size_bytes,
    receivedAt: row.received_at,
    isRead: row.is_read === 1,
    meta: row.meta,
    glance: row.glance,
  };
}

// One statement checks liveness and quota and takes the number. The number is the cached one plus one, since RETURNING
// it would cost a temporary table each time.
const takeSeq = `UPDATE session_states SET seq = seq + 1, version = version + 1, message_count = message_count + 1,
    message_bytes = message_bytes + ?
  WHERE session_id = ? AND ended_at IS NULL AND expires_at > ? AND message_count < ?
    AND message_bytes + ? <= ? AND seq = ? AND seq < ?`;

/** Less room than this means that a session is full: one below its quota takes a message of any size. */
const leastRoom = 1;

const takeEntry =
  'UPDATE session_states SET seq = seq + 1, version = version + 1 WHERE session_id = ? RETURNING seq';

const selectMessage =
  'SELECT m.id, m.received_at, m.size_bytes, c.meta, n.is_read, n.glance ' +
  'FROM messages m JOIN contents c ON c.id = m.content_id LEFT JOIN notes n ON n.message_id = m.id';

const selectEvents = `SELECT id, 'message.received' AS kind, received_at AS at, id % ${toRowId(1, 0)} AS message_seq
    FROM messages WHERE id > :from AND id < :to
  UNION ALL
  SELECT id, kind, at, message_seq FROM events WHERE id > :from AND id < :to
  ORDER BY id LIMIT :limit`;

export class MessageRows {
  readonly #quota: SessionQuota;
  readonly #progress: Readonly<CommitProgress>;
  readonly #sessions: SessionRows;
  readonly #chunks: ChunkRows;
  readonly #takeSeq;
  readonly #insertContent;
  readonly #insert;
  readonly #newestFirst;
  readonly #oldestFirst;
  readonly #oldest;
  readonly #one;
  readonly #size;
  readonly #firstChunk;
  readonly #markRead;
  readonly #markUnread;
  readonly #takeEntry;
  readonly #deleteContent;
  readonly #delete;
  readonly #deleteNotes;
  readonly #release;
  readonly #insertEvent;
  readonly #events;
  readonly #origins;
  /** Where chunks of large messages are sealed. */
  #slab: Buffer | undefined;
  readonly #beginAll;
  readonly #undoAll;
  readonly #endAll;

  constructor(database: Database.Database, { quota, sessions, progress, chunks }: MessageRowsOptions) {
    this.#quota = quota;
    this.#sessions = sessions;
    this.#progress = progress;
    this.#chunks = chunks;
    this.#takeSeq =
      database.prepare<[number, number, number, number, number, number, number, number]>(takeSeq);
    this.#insertContent = database.prepare<[Uint8Array, Uint8Array]>(
      'INSERT INTO contents (meta, raw) VALUES (?, ?)',
    );
    this.#insert = database.prepare<[number, number, number, number | bigint]>(
      'INSERT INTO messages (id, received_at, size_bytes, content_id) VALUES (?, ?, ?, ?)',
    );
    this.#newestFirst = database.prepare<[number, number, number], MessageRow>(
      `${selectMessage} WHERE m.id > ? AND m.id < ? ORDER BY m.id DESC LIMIT ?`,
    );
    this.#oldestFirst = database.prepare<[number, number, number], MessageRow>(
      `${selectMessage} WHERE m.id > ? AND m.id < ? ORDER BY m.id LIMIT ?`,
    );
    this.#oldest = database.prepare<[number, number, number], { id: number; size_bytes: number }>(
      'SELECT id, size_bytes FROM messages WHERE id > ? AND id < ? ORDER BY id LIMIT ?',
    );
    this.#one = database.prepare<[number], MessageRow>(`${selectMessage} WHERE m.id = ?`);
    this.#size = database.prepare<[number], number>('SELECT size_bytes FROM messages WHERE id = ?').pluck();
    this.#firstChunk = database
      .prepare<[number], Uint8Array>(
        'SELECT c.raw FROM messages m JOIN contents c ON c.id = m.content_id WHERE m.id = ?',
      )
      .pluck();
    this.#markRead = database.prepare<[number]>(
      `INSERT INTO notes (message_id, is_read) SELECT id, 1 FROM messages WHERE id = ?
       ON CONFLICT (message_id) DO UPDATE SET is_read = 1 WHERE is_read = 0`,
    );
    this.#markUnread = database.prepare<[number]>(
      'UPDATE notes SET is_read = 0 WHERE message_id = ? AND is_read = 1',
    );
    this.#takeEntry = database.prepare<[number], number>(takeEntry).pluck();
    this.#deleteContent = database.prepare<[number]>(
      'DELETE FROM contents WHERE id = (SELECT content_id FROM messages WHERE id = ?)',
    );
    this.#delete = database.prepare<[number]>('DELETE FROM messages WHERE id = ?');
    this.#deleteNotes = database.prepare<[number]>('DELETE FROM notes WHERE message_id = ?');
    this.#release = database
      .prepare<[number, number], number>(
        `UPDATE session_states SET seq = seq + 1, version = version + 1, message_count = message_count - 1,
           message_bytes = message_bytes - ? WHERE session_id = ? RETURNING seq`,
      )
      .pluck();
    this.#insertEvent = database.prepare<[number, EventKind, number, number]>(
      'INSERT INTO events (id, kind, at, message_seq) VALUES (?, ?, ?, ?)',
    );
    this.#events = database.prepare<EventRange, EventRow>(selectEvents);
    this.#origins = new OriginRows(database);
    this.#beginAll = database.prepare('SAVEPOINT deliveries');
    this.#undoAll = database.prepare('ROLLBACK TO deliveries');
    this.#endAll = database.prepare('RELEASE deliveries');
  }

  /** Runs in a transaction. Stores all deliveries or, when one finds its session full, none. */
  deliverAll(deliveries: readonly DeliveryRow[], now: number): DeliveryOutcome[] {
    const [only] = deliveries;
    if (only && deliveries.length === 1) return [this.#deliver(only, now)];
    this.#beginAll.run();
    const outcomes = deliveries.map((delivery) => this.#deliver(delivery, now));
    const withheld = withholdIfFull(outcomes);
    if (withheld) {
      this.#undoAll.run();
      for (const { key } of deliveries) this.#sessions.forget(key);
    }
    this.#endAll.run();
    return withheld ?? outcomes;
  }

  #deliver(delivery: DeliveryRow, now: number): DeliveryOutcome {
    const { key, sizeBytes, origin } = delivery;
    const known = this.#sessions.findRow(key);
    if (!known) return { outcome: 'ended' };
    const sessionId = known.id;
    if (origin && this.#origins.has(sessionId, origin)) {
      return { outcome: this.#sessions.takeLive(key, now) ? 'duplicate' : 'ended' };
    }
    const session = this.#take(known, sizeBytes, now);
    if (typeof session === 'string') return { outcome: session };
    const { seq } = session;
    const rowId = toRowId(sessionId, seq);
    const contentId = this.#addContent(rowId, delivery);
    this.#insert.run(rowId, now, sizeBytes, contentId);
    if (origin) this.#origins.add(sessionId, origin);
    if (delivery.chunksId !== undefined) this.#chunks.publish(delivery.chunksId, rowId);
    return { outcome: 'stored', id: seq, receivedAt: now };
  }

  /** Returns the id of the row with the first chunk. */
  #addContent(rowId: number, { meta, raw }: Delivery): number | bigint {
    let id: number | bigint | undefined;
    let number = 1;
    // Each chunk is copied into pages before the next one is sealed into the same slab.
    for (const chunk of raw.into?.(this.#takeSlab) ?? raw) {
      if (id === undefined) id = this.#insertContent.run(meta, chunk).lastInsertRowid;
      else this.#chunks.add(rowId, number++, chunk);
    }
    return id ?? this.#insertContent.run(meta, noBytes).lastInsertRowid;
  }

  readonly #takeSlab = (): Buffer => (this.#slab ??= Buffer.allocUnsafeSlow(sealedChunkMaxBytes));

  /** Makes room in the live session and takes its next number, or returns why it cannot. */
  #take(known: SessionRow, sizeBytes: number, now: number): SessionRow | 'ended' | 'full' {
    if (this.#takeInFile(known, sizeBytes, { room: this.#roomWanted(known, sizeBytes), now })) {
      return this.#takeInMemory(known, sizeBytes);
    }
    // Reread the row: no message is refused because of a stale cache entry.
    const key = known.key as SessionKey;
    this.#sessions.forget(key);
    const session = this.#sessions.takeLive(key, now);
    if (!session) return 'ended';
    const room = this.#roomWanted(session, sizeBytes);
    let isTaken = session.seq !== known.seq && this.#takeInFile(session, sizeBytes, { room, now });
    if (!isTaken && session.drops_oldest === 1) {
      isTaken =
        this.#dropOldest(session, room, now) &&
        this.#takeInFile(session, sizeBytes, { room: leastRoom, now });
    }
    return isTaken ? this.#takeInMemory(session, sizeBytes) : 'full';
  }

  /** The bytes that must be free. A session that drops its oldest stays within its quota, where the message allows it. */
  #roomWanted({ drops_oldest: dropsOldest }: SessionRow, sizeBytes: number): number {
    return dropsOldest === 1 && sizeBytes <= this.#quota.bytes ? Math.max(leastRoom, sizeBytes) : leastRoom;
  }

  /**
   * Removes the oldest messages until that much room is free, or `dropsMax` are gone. Returns false, having removed
   * nothing, when the session would still be full.
   */
  #dropOldest(session: SessionRow, room: number, now: number): boolean {
    const going = this.#findGoing(session, room);
    for (const { id, size_bytes: gone } of going ?? []) {
      this.delete(session.id, seqOf(id), { kind: 'message.dropped', at: now });
      session.seq += 1;
      session.version += 1;
      session.message_count -= 1;
      session.message_bytes -= gone;
    }
    return going !== undefined;
  }

  #findGoing(session: SessionRow, room: number): { id: number; size_bytes: number }[] | undefined {
    const { messages, bytes } = this.#quota;
    if (session.seq > seqMax - 2 * dropsMax) return undefined;
    const [from, to] = [toRowBound(session.id, 0), toRowBound(session.id, Infinity)];
    let { message_count: count, message_bytes: held } = session;
    const going: { id: number; size_bytes: number }[] = [];
    for (const one of this.#oldest.iterate(from, to, dropsMax)) {
      if (count < messages && held + room <= bytes) break;
      going.push(one);
      count -= 1;
      held -= one.size_bytes;
    }
    return count < messages && held + leastRoom <= bytes ? going : undefined;
  }

  #takeInFile(
    { id, seq }: SessionRow,
    sizeBytes: number,
    { room, now }: { readonly room: number; readonly now: number },
  ): boolean {
    const { messages, bytes } = this.#quota;
    return this.#takeSeq.run(sizeBytes, id, now, messages, room, bytes, seq, seqMax).changes > 0;
  }

  /** Updates the cached row in place; the number is then `seq`. */
  #takeInMemory(session: SessionRow, sizeBytes: number): SessionRow {
    session.seq += 1;
    session.version += 1;
    session.message_count += 1;
    session.message_bytes += sizeBytes;
    session.changedIn = this.#progress.current;
    return session;
  }

  list(sessionId: number, { after = 0, before = Infinity, limit, order }: MessageRange): StoredMessage[] {
    const statement = order === 'newest-first' ? this.#newestFirst : this.#oldestFirst;
    const [from, to] = [toRowBound(sessionId, after), toRowBound(sessionId, before)];
    return statement.all(from, to, limit).map(toStoredMessage);
  }

  find(sessionId: number, id: number): StoredMessage | undefined {
    const row = this.#one.get(toMessageRowId(sessionId, id));
    return row && toStoredMessage(row);
  }

  /** Returns a sealed chunk; undefined past the last one and when the message is gone. */
  readChunk(sessionId: number, id: number, number: number): Uint8Array | undefined {
    const rowId = toMessageRowId(sessionId, id);
    return number === 0 ? this.#firstChunk.get(rowId) : this.#chunks.read(rowId, number);
  }

  exists(sessionId: number, id: number): boolean {
    return this.#size.get(toMessageRowId(sessionId, id)) !== undefined;
  }

  /** Runs in a transaction. Returns false when there is no such message. */
  setRead(sessionId: number, id: number, { isRead, now }: { isRead: boolean; now: number }): boolean {
    const rowId = toMessageRowId(sessionId, id);
    if (this.#size.get(rowId) === undefined) return false;
    const { changes } = (isRead ? this.#markRead : this.#markUnread).run(rowId);
    if (changes > 0) {
      const seq = this.#takeEntry.get(sessionId) ?? seqMax;
      const kind = isRead ? 'message.read' : 'message.unread';
      if (seq < seqMax) this.#insertEvent.run(toRowId(sessionId, seq), kind, now, id);
    }
    return true;
  }

  /** Runs in a transaction. */
  delete(sessionId: number, id: number, { kind, at }: Pick<SessionEvent, 'kind' | 'at'>): boolean {
    const rowId = toMessageRowId(sessionId, id);
    const size = this.#size.get(rowId);
    if (size === undefined) return false;
    this.#deleteContent.run(rowId);
    this.#delete.run(rowId);
    this.#deleteNotes.run(rowId);
    this.#chunks.discard(rowId);
    const seq = this.#release.get(size, sessionId) ?? seqMax;
    if (seq < seqMax) this.#insertEvent.run(toRowId(sessionId, seq), kind, at, id);
    return true;
  }

  /** `lastSeq`: the session's newest entry. */
  listEvents(sessionId: number, lastSeq: number, range: { after: number; limit: number }): EventPage {
    const oldestKept = lastSeq - eventLogMaxEntries;
    const isReset = range.after < oldestKept;
    const rows = this.#events.all({
      from: toRowBound(sessionId, Math.max(range.after, oldestKept)),
      to: toRowBound(sessionId, Infinity),
      limit: range.limit,
    });
    const events = rows.map((row): SessionEvent => {
      return { seq: seqOf(row.id), kind: row.kind, at: row.at, messageId: row.message_seq };
    });
    return { events, reset: isReset };
  }
}
