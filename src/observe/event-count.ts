// Counts events that strangers can cause at will, and logs them at most once a minute. Made by app.ts.

import type { Logger } from './logger.ts';

const intervalMs = 60_000;

/** Returns a function that counts one event. Each log line has the number since the previous one and the total. */
export function createEventCount(log: Logger, event: string): () => void {
  let total = 0;
  let told = 0;
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    timer = undefined;
    if (told === total) return;
    log.info(event, { count: total - told, total });
    told = total;
    timer = setTimeout(tell, intervalMs).unref();
  }

  return () => {
    total += 1;
    if (!timer) tell();
  };
}
