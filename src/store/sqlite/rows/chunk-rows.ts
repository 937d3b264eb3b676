// Chunks of messages after the first. Those of a large message are staged before it, a few per commit, under their own
// id; the commit that stores the message assigns them to it. Writing runs in the writer's transactions; owned by
// SqliteMailStore.

import type { Database } from '#group-commit/driver';

import { toRowId } from './message-row-id.ts';

export class ChunkRows {
  readonly #lowest;
  readonly #insert;
  readonly #insertChunk;
  readonly #publish;
  readonly #withdraw;
  readonly #addGarbage;
  readonly #chunk;

  constructor(database: Database.Database) {
    this.#lowest = database
      .prepare<[number, number], number | null>(
        'SELECT min(chunks_id) FROM staged WHERE chunks_id > ? AND chunks_id < ?',
      )
      .pluck();
    this.#insert = database.prepare<[number]>('INSERT INTO staged (chunks_id) VALUES (?)');
    this.#insertChunk = database.prepare<[number, number, Uint8Array]>('INSERT INTO chunks VALUES (?, ?, ?)');
    this.#publish = database.prepare<[number, number]>(
      'UPDATE staged SET message_id = ? WHERE chunks_id = ?',
    );
    this.#withdraw = database
      .prepare<[number], number>(
        'UPDATE staged SET message_id = NULL WHERE message_id = ? RETURNING chunks_id',
      )
      .pluck();
    this.#addGarbage = database.prepare<[number]>('INSERT OR IGNORE INTO garbage VALUES (?)');
    this.#chunk = database
      .prepare<[number, number, number], Uint8Array>(
        `SELECT data FROM chunks
         WHERE message_id = coalesce((SELECT chunks_id FROM staged WHERE message_id = ?), ?) AND number = ?`,
      )
      .pluck();
    // Left by an earlier process: this one has staged nothing yet.
    database.exec('INSERT OR IGNORE INTO garbage SELECT chunks_id FROM staged WHERE message_id IS NULL');
  }

  /** Runs in a transaction. Returns the id for the chunks of one message of the session. */
  begin(sessionId: number): number {
    const [from, to] = stagedRange(sessionId);
    const chunksId = (this.#lowest.get(from, to) ?? to) - 1;
    this.#insert.run(chunksId);
    return chunksId;
  }

  /** Runs in a transaction. `id`: the message's row, or the staging id; `number` counts from 1. */
  add(id: number, number: number, chunk: Uint8Array): void {
    this.#insertChunk.run(id, number, chunk);
  }

  /** Runs in the transaction that stores the message. */
  publish(chunksId: number, rowId: number): void {
    this.#publish.run(rowId, chunksId);
  }

  /** Runs in the transaction that deletes the message; reclaiming frees the chunks. */
  discard(rowId: number): void {
    const chunksId = this.#withdraw.get(rowId);
    if (chunksId !== undefined) this.#addGarbage.run(chunksId);
    else if (this.read(rowId, 1)) this.#addGarbage.run(rowId);
  }

  read(rowId: number, number: number): Uint8Array | undefined {
    return this.#chunk.get(rowId, rowId, number);
  }

  /** Runs in a transaction. Gives up staged chunks. */
  abandon(chunksId: number): void {
    this.#addGarbage.run(chunksId);
  }
}

/** Returns exclusive bounds for the ids of a session's staged chunks. */
export function stagedRange(sessionId: number): readonly [number, number] {
  return [-toRowId(sessionId + 1, 0), -toRowId(sessionId, 0)];
}
