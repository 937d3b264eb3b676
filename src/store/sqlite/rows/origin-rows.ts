// Origins of fetched messages in SQLite: those that each session has already received. Runs in the writer's
// transactions; used by MessageRows for deliveries with an origin.

import type { Database } from '#group-commit/driver';

export class OriginRows {
  readonly #has;
  readonly #add;

  constructor(database: Database.Database) {
    this.#has = database.prepare<[number, Uint8Array]>(
      'SELECT 1 FROM origins WHERE session_id = ? AND origin = ?',
    );
    this.#add = database.prepare<[number, Uint8Array]>('INSERT INTO origins VALUES (?, ?)');
  }

  has(sessionId: number, origin: Uint8Array): boolean {
    return this.#has.get(sessionId, origin) !== undefined;
  }

  add(sessionId: number, origin: Uint8Array): void {
    this.#add.run(sessionId, origin);
  }
}
