// Stores data keys in slots of one size that are overwritten in place and reused, never deleted. When rebalancing a
// table SQLite copies rows between pages and leaves old bytes behind (secure_delete does not reach them), so a key in
// an ordinary row could survive its DELETE in the file. An UPDATE of the same size stays in place, and appending never
// moves existing rows. Used by SessionRows within the writer's transactions.

import type Database from 'better-sqlite3';

const keyBytes = 32;
/** Must match the schema's index of free slots. */
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
   * Stores a key and returns its slot.
   * @throws RangeError when it is not 32 bytes, because a key of another size would not be overwritten in place
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
