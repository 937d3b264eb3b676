// Where the data keys lie: slots of one size that are overwritten in place and reused, never deleted. SQLite copies
// rows between pages when a table is rebalanced and leaves the old bytes behind (secure_delete does not reach them),
// so a key in an ordinary row may outlive its DELETE in the file. An UPDATE of the same size stays where it is, and
// appending never moves what is there. Used by SessionRows within the writer's transactions.

import type Database from 'better-sqlite3';

const keyBytes = 32;
/** As the schema's index of free slots has it. */
const isFree = `data_key = x'${'00'.repeat(keyBytes)}'`;

export class KeySlots {
  readonly #findFree;
  readonly #append;
  readonly #fill;
  readonly #clear;

  constructor(database: Database.Database) {
    this.#findFree = database.prepare<[], number>(`SELECT id FROM key_slots WHERE ${isFree} LIMIT 1`).pluck();
    this.#append = database.prepare<[Uint8Array]>('INSERT INTO key_slots (data_key) VALUES (?)');
    this.#fill = database.prepare<[Uint8Array, number]>('UPDATE key_slots SET data_key = ? WHERE id = ?');
    this.#clear = database.prepare<[number]>(
      `UPDATE key_slots SET data_key = zeroblob(${keyBytes})
       WHERE id = (SELECT key_slot FROM sessions WHERE id = ?)`,
    );
  }

  /**
   * Keeps a key and returns its slot.
   * @throws RangeError when it is not 32 bytes: another size would not be overwritten in place.
   */
  take(dataKey: Uint8Array): number {
    if (dataKey.length !== keyBytes) throw new RangeError(`A data key has ${keyBytes} bytes.`);
    const slot = this.#findFree.get();
    if (slot === undefined) return this.#append.run(dataKey).lastInsertRowid as number;
    this.#fill.run(dataKey, slot);
    return slot;
  }

  /** Destroys the session's key, if it still has one. */
  clear(sessionId: number): void {
    this.#clear.run(sessionId);
  }
}
