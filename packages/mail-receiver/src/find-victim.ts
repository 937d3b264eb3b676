// Chooses the connection to end when every place is taken and a newcomer arrives: a connection from a site with many
// times as many places as the newcomer's comes first, then the one that has made the least progress, then the oldest.

import type { Lack } from './dialogue-pace.ts';

export interface Newcomer {
  /** Connections that the newcomer's site has already. */
  readonly siteConnections: number;
}

export interface Weakness {
  readonly lack: Lack;
  readonly ageMs: number;
  /** Whether its site has far more places than the newcomer's. */
  readonly isOfCrowd: boolean;
}

interface Candidate {
  /** Returns undefined while the connection may not be ended. */
  findWeakness(now: number, newcomer: Newcomer): Weakness | undefined;
}

/** A site is a crowd when it has this many times the places the newcomer's site would have. */
const crowdFactor = 8;

export function isCrowd(siteConnections: number, newcomer: Newcomer): boolean {
  return siteConnections >= crowdFactor * (newcomer.siteConnections + 1);
}

/** How long to wait between searches that found nothing. */
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

/** Ends a victim among the connections; reports whether there was one. */
export function createEviction(
  connections: ReadonlySet<Candidate & { evict(): void }>,
): (newcomer: Newcomer) => boolean {
  const searchAt: number[] = [];
  return (newcomer) => {
    const now = performance.now();
    // Grouped by powers of two, so that fruitless searches for large sites do not suppress those for small ones.
    const size = Math.floor(Math.log2(newcomer.siteConnections + 1));
    if (now < (searchAt[size] ?? 0)) return false;
    const victim = findVictim(connections, now, newcomer);
    victim?.evict();
    // A flood of newcomers must not cause a scan of all connections for each.
    if (!victim) searchAt[size] = now + searchPauseMs;
    return victim !== undefined;
  };
}
