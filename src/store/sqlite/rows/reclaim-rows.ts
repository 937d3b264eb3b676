// Frees the space of ended sessions and deleted messages in small steps. Runs in the writer's transactions; owned by SqliteMailStore.

import type { Database } from '#group-commit/driver';

import { endedKnownMs } from '../../../domain/limits.ts';
import { toRowId } from './message-row-id.ts';
import { stagedRange } from './chunk-rows.ts';

/** Rows freed between two checks of the clock: large ones may span 65 pages each. */
const largeRowsAtOnce = 2;
const smallRowsAtOnce = 64;
/** Pages released in one transaction: moving and committing them takes about 3 ms, half of it in the commit. */
const pagesAtOnce = 256;

export class ReclaimRows {
  readonly #database: Database.Database;
  readonly #nextSession;
  readonly #deleteContents;
  readonly #deleteMessages;
  readonly #deleteChunks;
  readonly #deleteNotes;
  readonly #deleteEvents;
  readonly #deleteAttempts;
  readonly #deleteOrigins;
  readonly #deleteStaged;
  readonly #dropStaged;
  readonly #setReclaimed;
  readonly #forgettable;
  readonly #forgetState;
  readonly #forgetSession;
  readonly #forgetQueue;
  readonly #forgetEndpoints;
  readonly #forgetAddresses;
  readonly #nextGarbage;
  readonly #dropGarbage;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#nextSession = database
      .prepare<[], number>(
        'SELECT session_id FROM session_states WHERE ended_at IS NOT NULL AND is_reclaimed = 0 LIMIT 1',
      )
      .pluck();
    const range = 'WHERE message_id > ? AND message_id < ?';
    this.#deleteChunks = database.prepare<[number, number]>(
      `DELETE FROM chunks ${range} LIMIT ${largeRowsAtOnce}`,
    );
    this.#deleteNotes = database.prepare<[number, number]>(
      `DELETE FROM notes ${range} LIMIT ${smallRowsAtOnce}`,
    );
    const someMessages = `FROM messages WHERE id > ? AND id < ? ORDER BY id LIMIT ${largeRowsAtOnce}`;
    this.#deleteContents = database.prepare<[number, number]>(
      `DELETE FROM contents WHERE id IN (SELECT content_id ${someMessages})`,
    );
    this.#deleteMessages = database.prepare<[number, number]>(`DELETE ${someMessages}`);
    this.#deleteEvents = database.prepare<[number, number]>(
      `DELETE FROM events WHERE id > ? AND id < ? LIMIT ${smallRowsAtOnce}`,
    );
    this.#deleteAttempts = database.prepare<[number]>(
      `DELETE FROM attempts WHERE session_id = ? LIMIT ${smallRowsAtOnce}`,
    );
    this.#deleteOrigins = database.prepare<[number]>(
      `DELETE FROM origins WHERE session_id = ? LIMIT ${smallRowsAtOnce}`,
    );
    this.#deleteStaged = database.prepare<[number, number]>(
      `DELETE FROM staged WHERE chunks_id > ? AND chunks_id < ? LIMIT ${smallRowsAtOnce}`,
    );
    this.#dropStaged = database.prepare<[number]>('DELETE FROM staged WHERE chunks_id = ?');
    this.#setReclaimed = database.prepare<[number]>(
      'UPDATE session_states SET is_reclaimed = 1 WHERE session_id = ?',
    );
    this.#forgettable = database
      .prepare<[number], number>(
        `SELECT session_id FROM session_states WHERE is_reclaimed = 1 AND ended_at <= ? LIMIT ${smallRowsAtOnce}`,
      )
      .pluck();
    this.#forgetState = database.prepare<[number]>('DELETE FROM session_states WHERE session_id = ?');
    this.#forgetSession = database.prepare<[number]>('DELETE FROM sessions WHERE id = ?');
    this.#forgetQueue = database.prepare<[number]>(
      `DELETE FROM outbox WHERE dead_at IS NULL
         AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE session_id = ?)`,
    );
    // A dead letter may be sent again while it is kept, so its endpoint stays.
    this.#forgetEndpoints = database.prepare<[number]>(
      `DELETE FROM webhook_endpoints WHERE session_id = ?
         AND NOT EXISTS (SELECT 1 FROM outbox WHERE endpoint_id = webhook_endpoints.id)`,
    );
    this.#forgetAddresses = database.prepare<[number]>(
      `DELETE FROM addresses WHERE free_at IS NOT NULL AND free_at <= ? LIMIT ${smallRowsAtOnce}`,
    );
    this.#nextGarbage = database.prepare<[], number>('SELECT message_id FROM garbage LIMIT 1').pluck();
    this.#dropGarbage = database.prepare<[number]>('DELETE FROM garbage WHERE message_id = ?');
  }

  /** Runs in a transaction until `isOver` or nothing is left; returns true when something may be left. */
  run(now: number, isOver: () => boolean): boolean {
    while (!isOver()) {
      if (this.#emptyGarbage() || this.#emptySession() || this.#forget(now)) continue;
      return this.#shrinkFile();
    }
    return true;
  }

  #emptyGarbage(): boolean {
    const rowId = this.#nextGarbage.get();
    if (rowId === undefined) return false;
    if (this.#deleteChunks.run(rowId - 1, rowId + 1).changes > 0) return true;
    this.#dropGarbage.run(rowId);
    if (rowId < 0) this.#dropStaged.run(rowId);
    return true;
  }

  #emptySession(): boolean {
    const sessionId = this.#nextSession.get();
    if (sessionId === undefined) return false;
    const from = toRowId(sessionId, 0);
    const to = toRowId(sessionId + 1, 0);
    const staged = stagedRange(sessionId);
    const left =
      this.#deleteChunks.run(...staged).changes +
      this.#deleteStaged.run(...staged).changes +
      this.#deleteContents.run(from, to).changes +
      this.#deleteMessages.run(from, to).changes +
      this.#deleteChunks.run(from, to).changes +
      this.#deleteNotes.run(from, to).changes +
      this.#deleteEvents.run(from, to).changes +
      this.#deleteAttempts.run(sessionId).changes +
      this.#deleteOrigins.run(sessionId).changes;
    if (left === 0) this.#setReclaimed.run(sessionId);
    return true;
  }

  #forget(now: number): boolean {
    const sessions = this.#forgettable.all(now - endedKnownMs);
    for (const sessionId of sessions) {
      this.#forgetQueue.run(sessionId);
      this.#forgetEndpoints.run(sessionId);
      this.#forgetState.run(sessionId);
      this.#forgetSession.run(sessionId);
    }
    // A free address is kept as long as its session, because mail for its last holder may still arrive.
    return sessions.length + this.#forgetAddresses.run(now - endedKnownMs).changes > 0;
  }

  #shrinkFile(): boolean {
    const free = this.#database.pragma('freelist_count', { simple: true }) as number;
    if (free === 0) return false;
    this.#database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
    return free > pagesAtOnce;
  }
}
