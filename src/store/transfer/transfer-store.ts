// Copies everything from one store to another, step by step, resuming where an earlier run stopped. Called by the copy
// command; holds one batch in memory.

import {
  type TransferSource,
  type TransferStep,
  transferSteps,
  type TransferTarget,
} from './transfer-rows.ts';

export interface TransferOptions {
  readonly source: TransferSource;
  readonly target: TransferTarget;
  /** Called after each batch; `rows` includes those of earlier runs. */
  readonly onProgress?: (step: TransferStep, rows: number) => void;
}

/** Rows per step. */
export type TransferCounts = Readonly<Record<TransferStep, number>>;

export async function transferStore(options: TransferOptions): Promise<TransferCounts> {
  const { source, target } = options;
  await target.makeBuckets(source.listBuckets());
  const counts: Partial<Record<TransferStep, number>> = {};
  for (const step of transferSteps) counts[step] = await takeStep(options, step);
  await target.finish(source.readCounters());
  return counts as TransferCounts;
}

async function takeStep(
  { source, target, onProgress }: TransferOptions,
  step: TransferStep,
): Promise<number> {
  const before = target.progressOf(step);
  let rows = before?.rows ?? 0;
  let cursor = before?.cursor;
  for (;;) {
    const batch = await source.readBatch(step, cursor);
    if (batch.cursor === undefined) return rows;
    await target.writeBatch(step, batch);
    rows += batch.rows.length;
    cursor = batch.cursor;
    onProgress?.(step, rows);
  }
}
