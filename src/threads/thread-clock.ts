// How much processor time a thread has used: what a budget has to be counted in, since on a busy machine the clock goes
// on while a thread waits for its turn. On Linux the kernel tells it of each thread. Elsewhere the whole process stands
// for the thread, which never uses more than that.
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';

export interface ThreadClock {
  /** Processor time so far, ms. Only differences mean something. */
  readMs(): number;
  close(): void;
}

/** The kernel's number of the thread that calls; undefined where there is none to be had. */
export function findOwnThread(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    // No Linux, or no /proc.
    return undefined;
  }
}

/** The clock of the thread with this number, of this process; undefined for one that is not known. */
export function openThreadClock(thread: number | undefined): ThreadClock {
  const file = thread === undefined ? undefined : openSchedstat(thread);
  return file === undefined ? processClock : new SchedstatClock(file);
}

function openSchedstat(thread: number): number | undefined {
  const path = `/proc/self/task/${thread}/schedstat`;
  try {
    // Kernels without this statistic have the file too, with zeros.
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

/** First number: nanoseconds on a processor. */
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
      // The thread has ended: it uses no more.
      return this.#lastMs;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
