// The statements that write deliveries: their values, in binary arrays, and what they answer. `deliver` takes every delivery;
// `deliver_group` is the cheap one, for what nearly all are: one recipient, one chunk, no origin. Used by DeliveryGroups, which
// takes what the cheap one leaves over to the other, and by LargeDeliveries.

import { randomFillSync } from 'node:crypto';

import type { Delivery, DeliveryOutcome, SessionQuota } from '../mail-store.ts';
import { toByteaArray, toInt4Array, toInt8Array } from './binary-array.ts';
import type { Values } from './connections.ts';

export interface DeliverySettings {
  readonly quota: SessionQuota;
  /** Rows that one endpoint may have queued; 0 where webhooks are off. */
  readonly outboxRows: number;
  /** The instant that tests set; null for the database's clock. */
  readonly now: () => number | null;
}

/** A delivery as it is written, under an id that a retry keeps: the store takes it once. */
export interface DeliveryCopy {
  readonly delivery: Delivery;
  readonly ingestId: bigint;
  /** None where they are written before it. */
  readonly chunks: readonly Uint8Array[];
  /** Where its chunks are; only for those that are written before it. */
  readonly bucket?: number | undefined;
}

export interface OutcomeRow {
  readonly o_outcome: 'stored' | 'ended' | 'full' | 'duplicate';
  readonly o_seq: number | null;
  readonly o_at: number;
}

export interface GroupRow {
  readonly o_at: number;
  /** Of what was stored, from 1; null for nothing. */
  readonly o_places: readonly number[] | null;
  readonly o_seqs: readonly number[] | null;
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

/** With its chunks; may throw what their generator throws. */
export function toCopy(delivery: Delivery): DeliveryCopy {
  const chunks = Array.from(numberChunks(delivery.raw), ([, data]) => data);
  return { delivery, ingestId: nextIngestId(), chunks };
}

/** Without chunks: they are written before it. */
export function toLargeCopy(delivery: Delivery, bucket: number | undefined): DeliveryCopy {
  return { delivery, ingestId: nextIngestId(), chunks: [], bucket };
}

/** Whether the cheap statement can write it. */
export function isPlain({ delivery, chunks }: DeliveryCopy): boolean {
  return chunks.length === 1 && !delivery.origin;
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

/** Values of the statement `deliver`. */
export function toDeliverValues(
  { quota, outboxRows, now }: DeliverySettings,
  copies: readonly DeliveryCopy[],
  isRetry: boolean,
): Values {
  const chunks = copies.flatMap((copy, row) => copy.chunks.map((data, number) => ({ row, number, data })));
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

function atMost(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER);
}

export function toOutcome({ o_outcome: outcome, o_seq: seq, o_at: receivedAt }: OutcomeRow): DeliveryOutcome {
  return outcome === 'stored' ? { outcome, id: seq ?? 0, receivedAt } : { outcome };
}

/** Values of the statement `deliver_group`, for plain copies. */
export function toGroupValues(settings: DeliverySettings, copies: readonly DeliveryCopy[]): Values {
  const { quota, outboxRows, now } = settings;
  const starts: number[] = [];
  let size = 0;
  for (const { delivery, chunks } of copies) {
    starts.push(size + 1);
    size += delivery.key.length + delivery.meta.length + lengthOf(chunks);
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { delivery, chunks } of copies) {
    for (const part of [delivery.key, delivery.meta, ...chunks]) {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return [
    now(),
    toInt8Array(copies.map(({ delivery }) => delivery.sizeBytes)),
    toInt8Array(copies.map(({ ingestId }) => ingestId)),
    toInt4Array(starts),
    toInt4Array(copies.map(({ delivery }) => delivery.meta.length)),
    toInt4Array(copies.map(({ chunks }) => lengthOf(chunks))),
    bytes,
    atMost(quota.messages),
    atMost(quota.bytes),
    outboxRows,
  ];
}

/** By place from 0; undefined for what was left over, of which nothing has happened. */
export function toGroupOutcomes(row: GroupRow | undefined, count: number): (DeliveryOutcome | undefined)[] {
  const outcomes: (DeliveryOutcome | undefined)[] = Array.from({ length: count }, () => undefined);
  for (const [at, place] of (row?.o_places ?? []).entries()) {
    outcomes[place - 1] = { outcome: 'stored', id: row?.o_seqs?.[at] ?? 0, receivedAt: row?.o_at ?? 0 };
  }
  return outcomes;
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
