// Rows of messages as PostgreSQL returns them. Used by PostgresMailStore.

import type { StoredMessage } from '../mail-store.ts';

export interface MessageRow {
  readonly seq: number;
  readonly received_at: number;
  readonly size_bytes: number;
  readonly meta: Buffer;
  readonly is_read: boolean;
  readonly glance: Buffer | null;
}

export function toStoredMessage(row: MessageRow): StoredMessage {
  return {
    id: row.seq,
    sizeBytes: row.size_bytes,
    receivedAt: row.received_at,
    isRead: row.is_read,
    meta: row.meta,
    glance: row.glance,
  };
}
