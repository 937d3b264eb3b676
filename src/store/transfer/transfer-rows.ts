// The data passed from one store to another when an installation moves: rows of named steps, in order of their keys,
// in bounded batches. Used by both ends (sqlite/sqlite-source.ts, postgres/copy-target.ts) and transfer-store.ts.

export type TransferValue = number | string | Uint8Array | null;
export type TransferRow = Readonly<Record<string, TransferValue>>;
/** The key of the last row transferred. */
export type TransferCursor = readonly TransferValue[];

/** In order; each walks one table of the source. */
export const transferSteps = [
  'domains',
  'keys',
  'passkeys',
  'keyFingerprints',
  'blocks',
  'records',
  'inboundRoutes',
  'inboundProofs',
  'statistics',
  'audit',
  'refusals',
  'mailboxes',
  'accounts',
  'cursors',
  'sessions',
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
  'outboxContents',
  'operatorMail',
] as const;
export type TransferStep = (typeof transferSteps)[number];

/** A batch ends at the first of these; a single row may exceed the second. */
export const batchRows = 1000;
export const batchBytes = 4 * 1024 * 1024;

export interface TransferBatch {
  readonly rows: readonly TransferRow[];
  /** The key of the last row; undefined when there were none. */
  readonly cursor: TransferCursor | undefined;
}

/** Where a store's counters continue, so that no id is given twice. */
export type TransferCounters = Readonly<Record<string, number>>;

export interface TransferSource {
  /** Stays the same while nothing that is copied changes. */
  readonly fingerprint: string;
  /** Numbers of the daily buckets before which the copied sessions end. */
  listBuckets(): readonly number[];
  readBatch(step: TransferStep, after: TransferCursor | undefined): TransferBatch | Promise<TransferBatch>;
  readCounters(): TransferCounters;
}

export interface StepProgress {
  readonly rows: number;
  readonly cursor: TransferCursor | undefined;
}

export interface TransferTarget {
  /** From an earlier run of the same copy; undefined for a step that has not begun. */
  progressOf(step: TransferStep): StepProgress | undefined;
  makeBuckets(buckets: readonly number[]): Promise<void>;
  /** Stores the rows and the progress in one commit. */
  writeBatch(step: TransferStep, batch: TransferBatch): Promise<void>;
  /** Makes it durable, and opens the store to nodes. */
  finish(counters: TransferCounters): Promise<void>;
}

/** A copy was refused; `message` is one line for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}

/** The form stored in the target. */
export function formatCursor(cursor: TransferCursor): string {
  return JSON.stringify(
    cursor.map((value) =>
      value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value,
    ),
  );
}

/** Parses the result of formatCursor(). */
export function parseCursor(text: string): TransferCursor {
  const values = JSON.parse(text) as (number | string | null | { readonly hex: string })[];
  return values.map((value) =>
    typeof value === 'object' && value !== null ? Buffer.from(value.hex, 'hex') : value,
  );
}
