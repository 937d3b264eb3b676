// Caps on live sessions: in all, and of those made from one address. The latter are counted in memory, by their ends
// alone, since who made a session is nobody's business and is not stored: after a restart counting begins anew. Used
// by the HTTP edge.

import { MayflyError } from '../domain/mayfly-error.ts';
import type { SessionFinder } from '../store/session-finder.ts';

export interface SessionCaps {
  /** `network`: null where the caller is not counted by address. @throws MayflyError too_many_sessions */
  check(network: string | null): Promise<void>;
  /** A session was made, to end at this instant. */
  noteMade(network: string | null, expiresAt: number): void;
  /** One that was to end then ends at another instant, or has ended. */
  noteChanged(network: string, before: number, after: number | null): void;
}

export interface SessionCapsOptions {
  readonly finder: SessionFinder;
  /** Infinity for none. */
  readonly perAddress: number;
  readonly total: number;
  /** ms since 1970. */
  readonly clock?: () => number;
}

/** Networks remembered at most; the ones that came first go first. */
const networksMax = 200_000;
const countedEveryMs = 10_000;
const retryWhenFullSeconds = 60;

export function createSessionCaps({
  finder,
  perAddress,
  total,
  clock = Date.now,
}: SessionCapsOptions): SessionCaps {
  const ends = new Map<string, number[]>();
  let counted = { live: 0, at: -Infinity };

  async function checkTotal(): Promise<void> {
    if (total === Infinity) return;
    if (performance.now() - counted.at > countedEveryMs) {
      counted = { live: await finder.countLive(), at: performance.now() };
    }
    if (counted.live < total) return;
    throw new MayflyError('too_many_sessions', 'There are as many sessions as this service holds.', {
      retryAfterSeconds: retryWhenFullSeconds,
    });
  }

  function liveOf(network: string): number[] {
    const now = clock();
    const live = (ends.get(network) ?? []).filter((end) => end > now);
    if (live.length === 0) ends.delete(network);
    else ends.set(network, live);
    return live;
  }

  return {
    async check(network) {
      await checkTotal();
      if (network === null || perAddress === Infinity) return;
      const live = liveOf(network);
      if (live.length < perAddress) return;
      throw new MayflyError(
        'too_many_sessions',
        `${live.length} sessions from your address are live; end one.`,
        {
          retryAfterSeconds: Math.max(1, Math.ceil((Math.min(...live) - clock()) / 1000)),
        },
      );
    },
    noteMade(network, expiresAt) {
      counted.live += 1;
      if (network === null || perAddress === Infinity) return;
      const own = ends.get(network);
      if (own) own.push(expiresAt);
      else ends.set(network, [expiresAt]);
      const oldest = ends.size > networksMax ? ends.keys().next().value : undefined;
      if (oldest !== undefined) ends.delete(oldest);
    },
    noteChanged(network, before, after) {
      const own = ends.get(network);
      const at = own?.indexOf(before) ?? -1;
      if (!own || at < 0) return;
      if (after === null) own.splice(at, 1);
      else own[at] = after;
    },
  };
}
