// Gives back what is left of mail, tokens and keys in memory once nothing has been read or sealed for some minutes: an
// idle process collects no garbage by itself. Part of the composition root.

import { createGarbageCollector } from '#threads/garbage-collector';

import { sealer } from '#sealing/sealer';
import type { SessionCaches } from '../service/mail/session-caches.ts';

const lookMs = 30_000;

/** Looks now and then, and collects once for each time of activity. */
export function collectAtRest({ areEmpty }: Pick<SessionCaches, 'areEmpty'>): { close(): void } {
  const collect = createGarbageCollector();
  let wasActive = false;
  const timer = setInterval(() => {
    const isActive = !sealer.isAtRest || !areEmpty();
    if (wasActive && !isActive) collect();
    wasActive = isActive;
  }, lookMs).unref();
  return {
    close: () => {
      clearInterval(timer);
    },
  };
}
