// Measures the longest turn of the main thread of a service that was started with `environment`; see longest-turn.mjs.

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { vi } from 'vitest';

/** On a quiet machine, turns with ordinary requests take two and the worst known ones take ten; they once took hundreds. */
export const quietTurnMs = 40;

/** Beside other programs the caches are cold, and one turn reads more of the socket. */
export const longestTurnMs = 250;

export interface TurnWatch {
  /** For the process to watch. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the processor time in ms of the longest turn since the last call. */
  longest(child: ChildProcess): Promise<number>;
}

export function createTurnWatch(folder: string): TurnWatch {
  const file = path.join(folder, 'longest-turn');
  let reports = 0;
  return {
    environment: {
      NODE_OPTIONS: `--import ${new URL('longest-turn.mjs', import.meta.url).href}`,
      LONGEST_TURN_FILE: file,
    },
    longest: (child) => {
      reports += 1;
      child.kill('SIGUSR2');
      return vi.waitFor(
        () => {
          const [count, ms] = readFileSync(file, 'utf8').split(' ').map(Number);
          if (count !== reports || ms === undefined) throw new Error('not yet');
          return ms;
        },
        { timeout: 2 * 60_000, interval: 5 },
      );
    },
  };
}
