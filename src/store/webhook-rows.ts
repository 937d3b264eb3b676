// Rows of webhook endpoints and dead webhooks, as both engines return them. Used by their JobsStores.

import type { DeadWebhook, EndpointStatus } from './jobs-store.ts';

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
