// Counts what strangers may cause as often as they like and tells the log of it at most once a minute. Made by app.ts.

import type { Logger } from './logger.ts';

const intervalMs = 60_000;

/** The returned function counts one. A line says how many there were since the last one, and in all. */
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
