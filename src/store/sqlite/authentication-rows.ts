// Sealed authentication results in SQLite, in the row of facts learnt after a message was stored. Writing runs in the
// writer's transactions; owned by SqliteMailStore.

import type Database from 'better-sqlite3';

import { toMessageRowId } from './message-row-id.ts';

export class AuthenticationRows {
  readonly #find;
  readonly #keep;

  constructor(database: Database.Database) {
    this.#find = database
      .prepare<[number], Uint8Array | null>('SELECT authentication FROM notes WHERE message_id = ?')
      .pluck();
    this.#keep = database.prepare<[Uint8Array, number]>(
      `INSERT INTO notes (message_id, authentication) SELECT id, ? FROM messages WHERE id = ?
       ON CONFLICT (message_id) DO UPDATE SET authentication = excluded.authentication`,
    );
  }

  find(sessionId: number, id: number): Uint8Array | undefined {
    return this.#find.get(toMessageRowId(sessionId, id)) ?? undefined;
  }

  /** Runs in a transaction. Does not change the list. */
  keep(sessionId: number, id: number, authentication: Uint8Array): void {
    this.#keep.run(authentication, toMessageRowId(sessionId, id));
  }
}
