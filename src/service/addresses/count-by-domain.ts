// Counts live sessions by the operator's domain. Walks them in slices and yields between these, so that a million
// sessions do not hold up mail; the result is cached for a minute.

import { setImmediate as nextTurn } from 'node:timers/promises';

import { ownDomainOf } from '../../domain/addresses/capture.ts';
import type { SessionFinder } from '../../store/session-finder.ts';

export interface DomainCount {
  readonly domain: string;
  readonly liveSessions: number;
}

export interface SessionCounts {
  /** Most sessions first; domains without any are absent. */
  byDomain(): Promise<readonly DomainCount[]>;
  /** Counts those of one domain, at once. */
  countLive(domain: string): Promise<number>;
}

const sliceSize = 2000;
const keptMs = 60_000;

/** @param clock monotonic ms */
export function createSessionCounts(
  finder: Pick<SessionFinder, 'listLiveAfter'>,
  clock: () => number = () => performance.now(),
): SessionCounts {
  let counted: { readonly at: number; readonly counts: readonly DomainCount[] } | undefined;
  let counting: Promise<readonly DomainCount[]> | undefined;

  async function countAnew(): Promise<readonly DomainCount[]> {
    try {
      const at = clock();
      const counts = await count(finder);
      counted = { at, counts };
      return counts;
    } finally {
      counting = undefined;
    }
  }

  return {
    byDomain() {
      if (counted && clock() - counted.at < keptMs) return Promise.resolve(counted.counts);
      return (counting ??= countAnew());
    },
    async countLive(domain) {
      return (await count(finder)).find((one) => one.domain === domain)?.liveSessions ?? 0;
    },
  };
}

async function count(finder: Pick<SessionFinder, 'listLiveAfter'>): Promise<readonly DomainCount[]> {
  const counts = new Map<string, number>();
  let after = '';
  for (;;) {
    const addresses = await finder.listLiveAfter(after, sliceSize);
    for (const address of addresses) {
      const domain = ownDomainOf(address);
      counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    const last = addresses.at(-1);
    if (last === undefined || addresses.length < sliceSize) break;
    after = last;
    await nextTurn();
  }
  return [...counts]
    .map(([domain, liveSessions]) => ({ domain, liveSessions }))
    .sort((one, other) => other.liveSessions - one.liveSessions || (one.domain < other.domain ? -1 : 1));
}
