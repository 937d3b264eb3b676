// Measures the processor time of a thread. Budgets are counted in it because on a busy machine the clock runs on while
// a thread waits for its turn. Linux reports it per thread; elsewhere the process's time, which is never less, is used
// instead.
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';

export interface ThreadClock {
  /** Processor time so far, ms. Only differences are meaningful. */
  readMs(): number;
  close(): void;
}

/** Returns the kernel's number of the calling thread; undefined when unavailable. */
export function findOwnThread(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    // Not Linux, or no /proc.
    return undefined;
  }
}

/** Opens the clock of this process's thread with the number; undefined for an unknown one. */
export function openThreadClock(thread: number | undefined): ThreadClock {
  const file = thread === undefined ? undefined : openSchedstat(thread);
  return file === undefined ? processClock : new SchedstatClock(file);
}

function openSchedstat(thread: number): number | undefined {
  const path = `/proc/self/task/${thread}/schedstat`;
  try {
    // Kernels without this statistic have the file too, filled with zeros.
    return readFileSync(path, 'latin1').startsWith('0 ') ? undefined : openSync(path, 'r');
  } catch {
    return undefined;
  }
}

const processClock: ThreadClock = {
  readMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  close: () => undefined,
};

/** The first number is nanoseconds on a processor. */
class SchedstatClock implements ThreadClock {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(64);
  #lastMs = 0;

  constructor(file: number) {
    this.#file = file;
  }

  readMs(): number {
    try {
      const length = readSync(this.#file, this.#buffer, 0, this.#buffer.length, 0);
      this.#lastMs = parseInt(this.#buffer.toString('latin1', 0, length), 10) / 1e6;
      return this.#lastMs;
    } catch {
      // The thread has ended and uses no more.
      return this.#lastMs;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
