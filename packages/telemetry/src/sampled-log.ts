// A log for events that strangers can cause a thousand times a second: writes some lines of each event, then a count.

import type { Logger } from './logger.ts';

const linesPerPeriod = 10;
const periodMs = 10_000;

interface Window {
  lines: number;
  left: number;
}

/** Writes at most 10 lines of an event in 10 s; the number left out follows as `EVENT.more`. */
export function createSampledLog(log: Logger): Pick<Logger, 'info' | 'warn'> {
  const windows = new Map<string, Window>();

  function write(level: 'info' | 'warn', event: string, fields?: object): void {
    const known = windows.get(event);
    if (known && known.lines >= linesPerPeriod) {
      known.left += 1;
      return;
    }
    const window = known ?? open(level, event);
    window.lines += 1;
    log[level](event, fields);
  }

  function open(level: 'info' | 'warn', event: string): Window {
    const window = { lines: 0, left: 0 };
    windows.set(event, window);
    setTimeout(() => {
      windows.delete(event);
      if (window.left > 0) log[level](`${event}.more`, { count: window.left, seconds: periodMs / 1000 });
    }, periodMs).unref();
    return window;
  }

  return {
    info: (event, fields) => {
      write('info', event, fields);
    },
    warn: (event, fields) => {
      write('warn', event, fields);
    },
  };
}

const intervalMs = 60_000;

/** Returns a function that counts one event. Each log line has the number since the previous one and the total. */
export function createEventCount(log: Logger, event: string): () => void {
  let total = 0;
  let logged = 0;
  let timer: NodeJS.Timeout | undefined;

  function report(): void {
    timer = undefined;
    if (logged === total) return;
    log.info(event, { count: total - logged, total });
    logged = total;
    timer = setTimeout(report, intervalMs).unref();
  }

  return () => {
    total += 1;
    if (!timer) report();
  };
}
