// What passes from one store to another when an installation moves: rows of named steps, in the order of their keys, a
// bounded batch at a time. Known to the two ends (sqlite/sqlite-source.ts, postgres/copy-target.ts) and to
// transfer-store.ts.

export type TransferValue = number | string | Uint8Array | null;
export type TransferRow = Readonly<Record<string, TransferValue>>;
/** The key of the last row that was taken over: what comes after it is still to come. */
export type TransferCursor = readonly TransferValue[];

/** In the order in which they are taken over; each is one walk through one table of the source. */
export const transferSteps = [
  'domains',
  'keys',
  'blocks',
  'mailboxes',
  'accounts',
  'cursors',
  'sessions',
  'dataKeys',
  'addresses',
  'messages',
  'chunks',
  'notes',
  'events',
  'attempts',
  'origins',
  'cleanups',
  'cleanupSessions',
  'endpoints',
  'outbox',
  'operatorMail',
] as const;
export type TransferStep = (typeof transferSteps)[number];

/** Batches end at the first of these; one row may be longer than the second by itself. */
export const batchRows = 1000;
export const batchBytes = 4 * 1024 * 1024;

export interface TransferBatch {
  readonly rows: readonly TransferRow[];
  /** After the last of them; undefined when there were none. */
  readonly cursor: TransferCursor | undefined;
}

/** Numbers from which a store goes on counting; ids that were given once are never given again. */
export type TransferCounters = Readonly<Record<string, number>>;

export interface TransferSource {
  /** The same as long as nothing that is copied has changed. */
  readonly fingerprint: string;
  /** Days before which sessions that are copied have ended, as numbers of buckets. */
  listBuckets(): readonly number[];
  readBatch(step: TransferStep, after: TransferCursor | undefined): TransferBatch | Promise<TransferBatch>;
  readCounters(): TransferCounters;
}

export interface StepProgress {
  readonly rows: number;
  readonly cursor: TransferCursor | undefined;
}

export interface TransferTarget {
  /** Of an earlier run of the same copy; of a step that has not begun undefined. */
  progressOf(step: TransferStep): StepProgress | undefined;
  makeBuckets(buckets: readonly number[]): Promise<void>;
  /** The rows and how far they reach, in one commit. */
  writeBatch(step: TransferStep, batch: TransferBatch): Promise<void>;
  /** Durable, and from now on open to nodes. */
  finish(counters: TransferCounters): Promise<void>;
}

/** Why a copy is not made, in one line for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}

/** As text in the target. */
export function formatCursor(cursor: TransferCursor): string {
  return JSON.stringify(
    cursor.map((value) =>
      value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value,
    ),
  );
}

/** What formatCursor() made. */
export function parseCursor(text: string): TransferCursor {
  const values = JSON.parse(text) as (number | string | null | { readonly hex: string })[];
  return values.map((value) =>
    typeof value === 'object' && value !== null ? Buffer.from(value.hex, 'hex') : value,
  );
}
