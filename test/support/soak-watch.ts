// How the service fares in a soak, looked at again and again: memory, descriptors, files. And how late its event loop
// was, from its own metrics. Growth is told between two medians, since one look is noise.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import type { MayflyProcess } from './mayfly-process.ts';
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

  /** Median of the tenths `from` to `to` of all looks. */
  median(name: keyof Look, from: number, to: number): number {
    const count = this.#looks.length;
    const some = this.#looks.slice(Math.floor((count * from) / 10), Math.ceil((count * to) / 10));
    const sorted = some.map((look) => look[name]).sort((one, other) => one - other);
    return Math.round(sorted[Math.floor(sorted.length / 2)] ?? NaN);
  }

  /** From the sixth tenth to the last one. */
  growth(name: keyof Look): number {
    return this.median(name, 9, 10) - this.median(name, 5, 6);
  }
}

export async function countFiles({ child }: MayflyProcess): Promise<number> {
  return (await readdir(`/proc/${child.pid}/fd`)).length;
}

/** How often the event loop was looked at, and how often it was at most `le` seconds late. */
export async function readLoopLag(
  { adminOrigin }: MayflyProcess,
  le: number,
): Promise<{ readonly all: number; readonly inTime: number }> {
  const text = await (await fetch(`${adminOrigin ?? ''}/metrics`)).text();
  const read = (bound: string): number =>
    Number(text.split(`mayfly_loop_lag_seconds_bucket{le="${bound}"} `)[1]?.split('\n')[0]);
  return { all: read('+Inf'), inTime: read(String(le)) };
}
