// Chooses the connection that goes when every place is taken and a newcomer is there: the one that has got the least
// far, and of these the oldest. Used by smtp-server.ts.

import type { Lack } from './dialogue-pace.ts';

interface Candidate {
  /** Undefined while it may not be ended. */
  findLack(now: number): { readonly lack: Lack; readonly ageMs: number } | undefined;
}

/** With every place taken and none to be had: until the next search for one. */
const searchPauseMs = 100;

const order: Record<Lack, number> = { recipient: 0, message: 1, speed: 2 };

export function findVictim<C extends Candidate>(candidates: Iterable<C>, now: number): C | undefined {
  let victim: C | undefined;
  let worst = { rank: Infinity, ageMs: 0 };
  for (const candidate of candidates) {
    const found = candidate.findLack(now);
    if (!found) continue;
    const rank = order[found.lack];
    if (rank > worst.rank || (rank === worst.rank && found.ageMs <= worst.ageMs)) continue;
    worst = { rank, ageMs: found.ageMs };
    victim = candidate;
  }
  return victim;
}

/** Ends a victim among the connections; false when there is none. */
export function createEviction(connections: ReadonlySet<Candidate & { evict(): void }>): () => boolean {
  let searchAt = 0;
  return () => {
    const now = performance.now();
    if (now < searchAt) return false;
    const victim = findVictim(connections, now);
    victim?.evict();
    // A flood of newcomers must not have all connections looked at for each of them.
    if (!victim) searchAt = now + searchPauseMs;
    return victim !== undefined;
  };
}
