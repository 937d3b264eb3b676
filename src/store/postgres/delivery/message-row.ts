// Rows of messages and their chunks as PostgreSQL returns them. Used by PostgresMailStore.

import { sessionExpired } from '../../../domain/gone.ts';
import type { StoredMessage } from '../../mail-store.ts';

interface MessageRow {
  readonly seq: number;
  readonly received_at: number;
  readonly size_bytes: number;
  readonly meta: Buffer;
  readonly is_read: boolean;
  readonly glance: Buffer | null;
}

/** A row of a list: one without a number says that the session is live. */
export type ListedRow = MessageRow | { readonly seq: null };

/** @throws MayflyError session_expired, because messages may be missing */
export function toStoredMessages(rows: readonly ListedRow[]): StoredMessage[] {
  const messages = rows.filter((row) => row.seq !== null);
  if (messages.length === rows.length) throw sessionExpired();
  return messages.map(toStoredMessage);
}

export interface ChunkRow {
  /** Null past the last chunk. */
  readonly data: Buffer | null;
  /** Whether the session is live: chunks of one that has ended are removed one by one. */
  readonly is_live: boolean;
}

/**
 * Yields the chunks of a message, asking for each by its number; returns false when the message is not there.
 * @throws MayflyError session_expired
 */
export async function* readChunks(
  ask: (number: number) => Promise<readonly ChunkRow[]>,
): AsyncGenerator<Uint8Array, boolean> {
  for (let number = 0; ; number++) {
    const [row] = await ask(number);
    if (!row || (!row.data && number === 0)) return false;
    if (!row.is_live) throw sessionExpired();
    if (!row.data) return true;
    if (row.data.length > 0) yield row.data;
  }
}

function toStoredMessage(row: MessageRow): StoredMessage {
  return {
    id: row.seq,
    sizeBytes: row.size_bytes,
    receivedAt: row.received_at,
    isRead: row.is_read,
    meta: row.meta,
    glance: row.glance,
  };
}
