// Deliveries made ready for one statement: what the generators of their raw bytes give, in binary arrays. Used by
// DeliveryGroups and by LargeDeliveries.

import { randomFillSync } from 'node:crypto';

import type { Delivery, DeliveryOutcome } from '../mail-store.ts';
import { toByteaArray, toInt4Array, toInt8Array } from './binary-array.ts';
import type { Values } from './connections.ts';

export interface SessionQuota {
  /** Infinity for none. */
  readonly messages: number;
  readonly bytes: number;
}

export interface DeliverySettings {
  readonly quota: SessionQuota;
  /** Rows that one endpoint may have queued; 0 where webhooks are off. */
  readonly outboxRows: number;
  /** The instant that tests set; null for the database's clock. */
  readonly now: () => number | null;
}

/** One recipient's copy, under an id that a retry keeps: the store takes it once. */
export interface Copy {
  readonly delivery: Delivery;
  readonly ingestId: bigint;
}

export interface OutcomeRow {
  readonly o_outcome: 'stored' | 'ended' | 'full' | 'duplicate';
  readonly o_seq: number | null;
  readonly o_at: number;
}

export interface Chunk {
  /** Which copy it belongs to, from 0. */
  readonly row: number;
  readonly number: number;
  readonly data: Uint8Array;
}

const noBytes = Buffer.alloc(0);

// One system call for a thousand of them: drawn one by one they cost a message more than its encryption.
const ingestIds = new BigInt64Array(1024);
let ingestIdsUsed = ingestIds.length;

function nextIngestId(): bigint {
  if (ingestIdsUsed === ingestIds.length) {
    randomFillSync(ingestIds);
    ingestIdsUsed = 0;
  }
  return ingestIds[ingestIdsUsed++] ?? 0n;
}

export function toCopies(deliveries: readonly Delivery[]): Copy[] {
  return deliveries.map((delivery) => ({ delivery, ingestId: nextIngestId() }));
}

/** Every message has a chunk, if an empty one: its key is what refuses a second copy. */
export function* numberChunks(raw: Iterable<Uint8Array>): Generator<readonly [number, Uint8Array]> {
  let number = 0;
  for (const data of raw) {
    yield [number, data];
    number += 1;
  }
  if (number === 0) yield [0, noBytes];
}

/** Chunks of one delivery's copies; may throw what their generators throw. */
export function collectChunks(copies: readonly Copy[]): Chunk[] {
  return copies.flatMap(({ delivery }, row) =>
    Array.from(numberChunks(delivery.raw), ([number, data]) => ({ row, number, data })),
  );
}

/** Values of the statement `deliver`. */
export function toDeliverValues(
  { quota, outboxRows, now }: DeliverySettings,
  copies: readonly Copy[],
  { chunks, isRetry }: { readonly chunks: readonly Chunk[]; readonly isRetry: boolean },
): Values {
  return [
    now(),
    toByteaArray(copies.map(({ delivery }) => delivery.key)),
    toInt8Array(copies.map(({ delivery }) => delivery.sizeBytes)),
    toByteaArray(copies.map(({ delivery }) => delivery.meta)),
    toInt8Array(copies.map(({ ingestId }) => ingestId)),
    toByteaArray(copies.map(({ delivery }) => delivery.origin ?? null)),
    toInt4Array(chunks.map(({ row }) => row + 1)),
    toInt4Array(chunks.map(({ number }) => number)),
    toByteaArray(chunks.map(({ data }) => data)),
    atMost(quota.messages),
    atMost(quota.bytes),
    outboxRows,
    isRetry,
  ];
}

export function atMost(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER);
}

export function toOutcome({ o_outcome: outcome, o_seq: seq, o_at: receivedAt }: OutcomeRow): DeliveryOutcome {
  return outcome === 'stored' ? { outcome, id: seq ?? 0, receivedAt } : { outcome };
}
