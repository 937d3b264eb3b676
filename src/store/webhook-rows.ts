// Rows of webhook endpoints, and of due and dead webhooks, as both engines return them. Used by their JobsStores.

import type { SessionKey } from '../domain/session.ts';
import type { DeadWebhook, DueWebhook, EndpointStatus } from './jobs-store.ts';

export interface StatusRow {
  readonly state: 'active' | 'closed' | 'pending';
  readonly last_error: string | null;
  readonly queued: number;
  readonly due_at: number | null;
}

export function toStatus({
  state,
  last_error: lastError,
  queued,
  due_at: nextTryAt,
}: StatusRow): EndpointStatus {
  const standing =
    state === 'closed' ? 'disabled' : state === 'active' && lastError !== null ? 'failing' : state;
  return { standing, lastError, queued, nextTryAt };
}

export interface DueRow {
  readonly id: number;
  readonly lease: number;
  readonly endpoint_id: number;
  readonly sealed: Uint8Array | null;
  readonly session_key: Uint8Array;
  readonly seq: number;
  readonly kind: DueWebhook['kind'];
  readonly message_seq: number | null;
  readonly at: number;
  readonly attempts: number;
  readonly content: Uint8Array | null;
}

export function toDue(row: DueRow): DueWebhook {
  return {
    rowId: row.id,
    lease: row.lease,
    endpointId: row.endpoint_id,
    sealed: row.sealed,
    key: row.session_key as SessionKey,
    seq: row.seq,
    kind: row.kind,
    messageId: row.message_seq,
    at: row.at,
    attempts: row.attempts,
    content: row.content,
  };
}

export interface DeadRow {
  readonly id: number;
  readonly endpoint_id: number;
  readonly kind: string;
  readonly seq: number;
  readonly at: number;
  readonly dead_at: number;
  readonly attempts: number;
  readonly reason: string | null;
}

export function toDead(row: DeadRow): DeadWebhook {
  return {
    rowId: row.id,
    endpointId: row.endpoint_id,
    kind: row.kind,
    seq: row.seq,
    at: row.at,
    deadAt: row.dead_at,
    attempts: row.attempts,
    reason: row.reason ?? '',
  };
}
