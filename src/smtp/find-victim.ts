// Chooses the connection that goes when every place is taken and a newcomer is there: first one of a site that has many
// times the places of the newcomer's, then the one that has got the least far, and of these the oldest. Used by
// smtp-server.ts.

import type { Lack } from './dialogue-pace.ts';

export interface Newcomer {
  /** Connections that its site has already. */
  readonly siteConnections: number;
}

export interface Weakness {
  readonly lack: Lack;
  readonly ageMs: number;
  /** Whether its site has far more places than the newcomer's. */
  readonly isOfCrowd: boolean;
}

interface Candidate {
  /** Undefined while it may not be ended. */
  findWeakness(now: number, newcomer: Newcomer): Weakness | undefined;
}

/** So many times the places that the newcomer's site would have. */
const crowdFactor = 8;

export function isCrowd(siteConnections: number, newcomer: Newcomer): boolean {
  return siteConnections >= crowdFactor * (newcomer.siteConnections + 1);
}

/** With every place taken and none to be had: until the next search for one. */
const searchPauseMs = 100;

const order: Record<Lack, number> = { recipient: 0, message: 1, speed: 2 };
const lackCount = 3;

export function findVictim<C extends Candidate>(
  candidates: Iterable<C>,
  now: number,
  newcomer: Newcomer,
): C | undefined {
  let victim: C | undefined;
  let worst = { rank: Infinity, ageMs: 0 };
  for (const candidate of candidates) {
    const found = candidate.findWeakness(now, newcomer);
    if (!found) continue;
    const rank = order[found.lack] + (found.isOfCrowd ? 0 : lackCount);
    if (rank > worst.rank || (rank === worst.rank && found.ageMs <= worst.ageMs)) continue;
    worst = { rank, ageMs: found.ageMs };
    victim = candidate;
  }
  return victim;
}

/** Ends a victim among the connections; false when there is none. */
export function createEviction(
  connections: ReadonlySet<Candidate & { evict(): void }>,
): (newcomer: Newcomer) => boolean {
  const searchAt: number[] = [];
  return (newcomer) => {
    const now = performance.now();
    // By powers of two: newcomers of large sites, which find nothing, must not keep those of small ones from looking.
    const size = Math.floor(Math.log2(newcomer.siteConnections + 1));
    if (now < (searchAt[size] ?? 0)) return false;
    const victim = findVictim(connections, now, newcomer);
    victim?.evict();
    // A flood of newcomers must not have all connections looked at for each of them.
    if (!victim) searchAt[size] = now + searchPauseMs;
    return victim !== undefined;
  };
}
