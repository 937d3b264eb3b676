// Rows of sessions as PostgreSQL returns them, and their conversion. Used by PostgresMailStore.

import { endedKnownMs } from '../../domain/limits.ts';
import type { Session, SessionKey, SessionLookup } from '../../domain/session.ts';

/** Columns of mayfly.find_sessions and mayfly.find_holders. */
export interface SessionRow {
  /** Position of the key in the query, from 1. */
  readonly o_place: number;
  readonly o_now: number;
  readonly o_key: Buffer;
  readonly o_token_hash: Buffer;
  readonly o_address: Buffer;
  readonly o_created_at: number;
  readonly o_expires_at: number;
  readonly o_latest_end_at: number;
  readonly o_ended_at: number | null;
  readonly o_bucket: number;
  readonly o_seq: number;
  readonly o_version: number;
  readonly o_message_count: number;
  readonly o_message_bytes: number;
  readonly o_account_id: number | null;
  readonly o_public_key: Buffer;
  /** Null once it has ended. */
  readonly o_salt: Buffer | null;
  readonly o_drops_oldest: boolean;
}

export const sessionColumns =
  'o_place, o_now, o_key, o_token_hash, o_address, o_created_at, o_expires_at, o_latest_end_at, o_ended_at, o_bucket, ' +
  'o_seq, o_version, o_message_count, o_message_bytes, o_account_id, o_public_key, o_salt, o_drops_oldest';

/** Expired but not yet recorded as ended: a session once reported as ended must never be live again. */
export function isDue(row: SessionRow | undefined): row is SessionRow {
  return row?.o_ended_at === null && row.o_expires_at <= row.o_now;
}

/** Converts a row that is not due for the owner of its token. */
export function toLookup(row: SessionRow | undefined): SessionLookup {
  if (!row) return { state: 'unknown' };
  const { o_now: now, o_ended_at: endedAt, o_salt: salt } = row;
  if (endedAt === null && salt) return { state: 'live', session: toSession(row, salt), now };
  return { state: now - (endedAt ?? row.o_expires_at) < endedKnownMs ? 'ended' : 'unknown' };
}

function toSession(row: SessionRow, salt: Uint8Array): Session {
  return {
    key: toKey(row.o_key),
    address: row.o_address.toString(),
    publicKey: row.o_public_key,
    salt,
    createdAt: row.o_created_at,
    expiresAt: row.o_expires_at,
    latestEndAt: row.o_latest_end_at,
    seq: row.o_seq,
    version: row.o_version,
    messageCount: row.o_message_count,
    messageBytes: row.o_message_bytes,
    ...(row.o_drops_oldest ? { dropsOldest: true } : {}),
  };
}

export function toKey(bytes: Uint8Array): SessionKey {
  return bytes as SessionKey;
}
