// The result for other programs: the figures, and the machine that they were measured on.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

import { type Figure, isGoodEnough } from './figure.ts';
import type { Options } from './options.ts';

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /** Processes ready to run, averaged over the last minute. */
  readonly load: number;
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    load: loadavg()[0] ?? 0,
  };
}

interface Result {
  readonly startedAt: Date;
  readonly options: Options;
  readonly machine: Machine;
  readonly figures: readonly Figure[];
}

/** Writes the result as JSON, with times in UTC and in seconds. */
export function writeResult(file: string, { startedAt, figures, ...rest }: Result): void {
  const result = {
    startedAt: startedAt.toISOString(),
    tookSeconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
    ...rest,
    figures: figures.map((figure) => ({ ...figure, goodEnough: isGoodEnough(figure) ?? null })),
  };
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}
