// Samples the service during a soak test: memory, descriptors, files, and the event loop's delay from its own metrics.
// Growth is the difference of two medians, since a single sample is noise.

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import type { MayflyProcess } from '../service/mayfly-process.ts';
import { memoryOf } from './service-under-fault.ts';

export interface Look {
  readonly rssMib: number;
  readonly files: number;
  readonly databaseMib: number;
  readonly walMib: number;
}

export class SoakWatch {
  readonly #looks: Look[] = [];
  readonly #mayfly: MayflyProcess;
  readonly #dataDir: string;

  constructor(mayfly: MayflyProcess, dataDir: string) {
    this.#mayfly = mayfly;
    this.#dataDir = dataDir;
  }

  async look(): Promise<void> {
    const mib = async (file: string): Promise<number> =>
      (await stat(path.join(this.#dataDir, file))).size / 1024 ** 2;
    this.#looks.push({
      rssMib: (await memoryOf(this.#mayfly)).now,
      files: await countFiles(this.#mayfly),
      databaseMib: await mib('mayfly.db'),
      walMib: await mib('mayfly.db-wal'),
    });
  }

  most(name: keyof Look): number {
    return Math.round(Math.max(...this.#looks.map((look) => look[name])));
  }

  /** Median of the tenths `from` to `to` of all samples. */
  median(name: keyof Look, from: number, to: number): number {
    const count = this.#looks.length;
    const some = this.#looks.slice(Math.floor((count * from) / 10), Math.ceil((count * to) / 10));
    const sorted = some.map((look) => look[name]).sort((one, other) => one - other);
    return Math.round(sorted[Math.floor(sorted.length / 2)] ?? NaN);
  }

  /** Growth from the sixth tenth to the last. */
  growth(name: keyof Look): number {
    return this.median(name, 9, 10) - this.median(name, 5, 6);
  }
}

export async function countFiles({ child }: MayflyProcess): Promise<number> {
  return (await readdir(`/proc/${child.pid}/fd`)).length;
}

/** The delay of the event loop, and how long its thread was ready to run without a processor, since the start. */
export interface LoopLag {
  /** Samples with at most this delay in seconds, by the bounds of the metric; `+Inf` counts all. */
  readonly looks: ReadonlyMap<string, number>;
  readonly waitedMs: number;
  readonly at: number;
}

export async function readLoopLag({ child, adminOrigin }: MayflyProcess): Promise<LoopLag> {
  const text = await (await fetch(`${adminOrigin ?? ''}/metrics`)).text();
  const buckets = text.matchAll(/^mayfly_loop_lag_seconds_bucket\{le="(\S+)"\} (\d+)$/gm);
  const waited = (await readFile(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8')).split(' ')[1];
  return {
    looks: new Map([...buckets].map(([, bound = '', count]) => [bound, Number(count)])),
    waitedMs: Number(waited) / 1_000_000,
    at: performance.now(),
  };
}

/** Returns the share of samples between two readings that were later than `seconds`, one of the metric's bounds. */
export function lateShare(before: LoopLag, after: LoopLag, seconds: number): number {
  const count = (bound: string): number => (after.looks.get(bound) ?? NaN) - (before.looks.get(bound) ?? NaN);
  return 1 - count(String(seconds)) / count('+Inf');
}

/** Returns the share of time between two readings in which the thread waited for a busy processor. */
export function waitedShare(before: LoopLag, after: LoopLag): number {
  return (after.waitedMs - before.waitedMs) / (after.at - before.at);
}
