// The values, in binary arrays, and the results of the statements that write deliveries. `deliver` accepts every
// delivery; `deliver_group` is the cheap one for nearly all of them: one recipient, one chunk, no origin. Used by
// DeliveryGroups, which passes deliveries that the cheap statement leaves over to the other one, and by
// LargeDeliveries.

import { randomFillSync } from 'node:crypto';

import { toByteaArray, toInt4Array, toInt8Array } from '#postgres/binary-array';
import type { Values } from '#postgres/connections';
import { codeOf } from '#system-errors/error-code';
import type { Delivery, DeliveryOutcome, SessionQuota } from '../../mail-store.ts';
import { withholdIfFull } from '../../withhold-if-full.ts';
import { ownStates } from '../own-states.ts';

export interface DeliverySettings {
  readonly quota: SessionQuota;
  /** The most outbox rows for one endpoint; 0 where webhooks are off. */
  readonly outboxRows: number;
  /** Returns the instant set by tests; null for the database's clock. */
  readonly now: () => number | null;
}

/** A delivery under an id that a retry keeps, so that it is stored only once. */
export interface DeliveryCopy {
  readonly delivery: Delivery;
  readonly ingestId: bigint;
  /** Empty if they were written beforehand. */
  readonly chunks: readonly Uint8Array[];
  /** The bucket of the chunks, if they were written beforehand. */
  readonly bucket?: number | undefined;
}

export interface OutcomeRow {
  readonly o_outcome: 'stored' | 'ended' | 'full' | 'duplicate';
  readonly o_seq: number | null;
  readonly o_at: number;
}

export interface GroupRow {
  readonly o_at: number;
  /** Places of stored recipients, from 1; null for none. */
  readonly o_places: readonly number[] | null;
  readonly o_seqs: readonly number[] | null;
}

const noBytes = Buffer.alloc(0);

// One system call for a thousand ids: drawn one by one, they would cost more per message than its encryption.
const ingestIds = new BigInt64Array(1024);
let ingestIdsUsed = ingestIds.length;

function nextIngestId(): bigint {
  if (ingestIdsUsed === ingestIds.length) {
    randomFillSync(ingestIds);
    ingestIdsUsed = 0;
  }
  return ingestIds[ingestIdsUsed++] ?? 0n;
}

/** Collects the chunks; may throw the errors of their generator. */
export function toCopy(delivery: Delivery): DeliveryCopy {
  const chunks = Array.from(numberChunks(delivery.raw), ([, data]) => data);
  return { delivery, ingestId: nextIngestId(), chunks };
}

/** Leaves out the chunks, which are written beforehand. */
export function toLargeCopy(delivery: Delivery, bucket: number | undefined): DeliveryCopy {
  return { delivery, ingestId: nextIngestId(), chunks: [], bucket };
}

/** Reports whether the cheap statement can write the delivery. */
export function isPlain({ delivery, chunks }: DeliveryCopy): boolean {
  return chunks.length === 1 && !delivery.origin;
}

/** Every message has a chunk, even an empty one: its key is what refuses a second copy. */
export function* numberChunks(raw: Iterable<Uint8Array>): Generator<readonly [number, Uint8Array]> {
  let number = 0;
  for (const data of raw) {
    yield [number, data];
    number += 1;
  }
  if (number === 0) yield [0, noBytes];
}

/** Returns the values of the statement `deliver`, for the deliveries of each call. */
export function toDeliverValues(
  { quota, outboxRows, now }: DeliverySettings,
  calls: readonly (readonly DeliveryCopy[])[],
  isRetry: boolean,
): Values {
  const copies = calls.flat();
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
    toInt4Array(calls.flatMap((call, number) => call.map(() => number))),
  ];
}

/**
 * Returns the outcomes in the error by which `deliver` refuses everything because a call with several recipients found
 * one of them full; undefined for other errors.
 */
export function readWithheld(error: unknown): DeliveryOutcome[] | undefined {
  const { detail } = (error ?? {}) as { detail?: unknown };
  if (codeOf(error) !== ownStates.withheld || typeof detail !== 'string') return undefined;
  const outcomes = detail.split(' ').map((outcome) => ({ outcome }) as DeliveryOutcome);
  return withholdIfFull(outcomes);
}

/** Returns the limit as PostgreSQL takes it, which has no infinite number. */
export function atMost(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER);
}

export function toOutcome({ o_outcome: outcome, o_seq: seq, o_at: receivedAt }: OutcomeRow): DeliveryOutcome {
  return outcome === 'stored' ? { outcome, id: seq ?? 0, receivedAt } : { outcome };
}

/** Returns the values of the statement `deliver_group`, for plain copies. */
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

/** Indexed by place from 0; undefined for deliveries left over, which are unchanged. */
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
