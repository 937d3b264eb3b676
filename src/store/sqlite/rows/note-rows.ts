// The sealed glance and authentication results of a message in SQLite, which reading adds after it was stored. Writing
// runs in the writer's transactions; owned by SqliteMailStore.

import type { Database } from '#group-commit/driver';

import { toMessageRowId } from './message-row-id.ts';

export class NoteRows {
  readonly #keepGlance;
  readonly #findAuthentication;
  readonly #keepAuthentication;

  constructor(database: Database.Database) {
    this.#keepGlance = database.prepare<[Uint8Array, number]>(
      `INSERT INTO notes (message_id, glance) SELECT id, ? FROM messages WHERE id = ?
       ON CONFLICT (message_id) DO UPDATE SET glance = excluded.glance`,
    );
    this.#findAuthentication = database
      .prepare<[number], Uint8Array | null>('SELECT authentication FROM notes WHERE message_id = ?')
      .pluck();
    this.#keepAuthentication = database.prepare<[Uint8Array, number]>(
      `INSERT INTO notes (message_id, authentication) SELECT id, ? FROM messages WHERE id = ?
       ON CONFLICT (message_id) DO UPDATE SET authentication = excluded.authentication`,
    );
  }

  /** Runs in a transaction. Does not change the list: a glance adds nothing that could not be seen before. */
  keepGlance(sessionId: number, id: number, glance: Uint8Array): void {
    this.#keepGlance.run(glance, toMessageRowId(sessionId, id));
  }

  findAuthentication(sessionId: number, id: number): Uint8Array | undefined {
    return this.#findAuthentication.get(toMessageRowId(sessionId, id)) ?? undefined;
  }

  /** Runs in a transaction. Does not change the list. */
  keepAuthentication(sessionId: number, id: number, authentication: Uint8Array): void {
    this.#keepAuthentication.run(authentication, toMessageRowId(sessionId, id));
  }
}
