// Counts events that strangers can cause at will, and logs them at most once a minute.

import type { Logger } from './logger.ts';

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
