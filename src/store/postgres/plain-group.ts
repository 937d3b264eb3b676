// Values and answer of `deliver_group`, the cheap statement for what nearly all deliveries are: one recipient, one chunk,
// no origin. Used by DeliveryGroups, which takes the others and whatever this leaves over to `deliver`.

import type { DeliveryOutcome } from '../mail-store.ts';
import { toInt4Array, toInt8Array } from './binary-array.ts';
import type { Values } from './connections.ts';
import { atMost, type Chunk, type Copy, type DeliverySettings } from './delivery-batch.ts';

/** A copy with all of its raw bytes. */
export interface PlainCopy {
  readonly copy: Copy;
  readonly raw: Uint8Array;
}

export interface GroupRow {
  readonly o_at: number;
  /** Of what was stored, from 1; null for nothing. */
  readonly o_places: readonly number[] | null;
  readonly o_seqs: readonly number[] | null;
}

/** Undefined for what only `deliver` can do. */
export function toPlainCopy(copies: readonly Copy[], chunks: readonly Chunk[]): PlainCopy | undefined {
  const [copy] = copies;
  const [chunk] = chunks;
  if (!copy || !chunk || copies.length > 1 || chunks.length > 1 || copy.delivery.origin) return undefined;
  return { copy, raw: chunk.data };
}

export function toGroupValues(
  { quota, outboxRows, now }: DeliverySettings,
  group: readonly PlainCopy[],
): Values {
  const starts: number[] = [];
  let size = 0;
  for (const { copy, raw } of group) {
    starts.push(size + 1);
    size += copy.delivery.key.length + copy.delivery.meta.length + raw.length;
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { copy, raw } of group) {
    for (const part of [copy.delivery.key, copy.delivery.meta, raw]) {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return [
    now(),
    toInt8Array(group.map(({ copy }) => copy.delivery.sizeBytes)),
    toInt8Array(group.map(({ copy }) => copy.ingestId)),
    toInt4Array(starts),
    toInt4Array(group.map(({ copy }) => copy.delivery.meta.length)),
    toInt4Array(group.map(({ raw }) => raw.length)),
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
