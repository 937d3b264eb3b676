// The processor time of one process by thread, as the scheduler counts it in nanoseconds (/proc/PID/task/TID/schedstat).
// Threads that ended in between are not counted.
import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadCpu {
  /** Microseconds of the main thread, which runs the JavaScript of the service. */
  readonly main: number;
  /** Microseconds of all other threads: the thread pool, the collector's helpers, workers. */
  readonly others: number;
}

export type ThreadTimes = ReadonlyMap<number, number>;

export function readThreadTimes(pid: number): ThreadTimes {
  const times = new Map<number, number>();
  for (const name of readdirSync(`/proc/${pid}/task`)) {
    const nanoseconds = readNanoseconds(pid, name);
    if (nanoseconds !== undefined) times.set(Number(name), nanoseconds);
  }
  return times;
}

/** Returns what the threads of the process used between two readings. */
export function toThreadCpu(pid: number, before: ThreadTimes, after: ThreadTimes): ThreadCpu {
  let main = 0;
  let others = 0;
  for (const [id, nanoseconds] of after) {
    const used = (nanoseconds - (before.get(id) ?? 0)) / 1000;
    if (id === pid) main = used;
    else others += used;
  }
  return { main, others };
}

/** Returns undefined if the thread is gone. */
function readNanoseconds(pid: number, thread: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1).join(''));
  } catch {
    return undefined;
  }
}
