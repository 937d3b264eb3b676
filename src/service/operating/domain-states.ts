// The DNS state of each of the operator's domains, for the table of domains: looked up on demand, a few at a time, and
// cached for minutes. An answer waits only for a bounded time; states not known by then are `pending`. Made once by
// create-operating.ts.

import { setTimeout as delay } from 'node:timers/promises';

import { createSemaphore } from '#networks/semaphore';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { DomainCheck } from './check-domain.ts';
import { OperatorError } from './operator-error.ts';

export interface DomainState {
  readonly domain: string;
  /** The worst of its checks; `pending` while the first look-up is under way. */
  readonly state: DomainCheck['state'] | 'pending';
  readonly checks: readonly DomainCheck[];
  /** ms since 1970; null while pending. */
  readonly checkedAt: number | null;
}

export interface DomainStates {
  /** Resolves within seconds, even if name servers do not respond. */
  list(): Promise<DomainState[]>;
  /** Looks the domain up again, bypassing the cache. @throws OperatorError for a domain that is not the operator's */
  lookAgain(name: string): Promise<DomainState>;
}

export interface DomainStatesOptions {
  readonly directory: Pick<DirectoryStore, 'listDomains'>;
  readonly check: (domain: string) => Promise<readonly DomainCheck[]>;
  /** ms since 1970. */
  readonly clock?: () => number;
  readonly waitMs?: number;
}

const defaultWaitMs = 5000;
const atOnceMax = 4;
const keptMs = 5 * 60_000;
/** A check that could not be made is repeated sooner. */
const unknownKeptMs = 30_000;
const worstFirst = ['failed', 'warning', 'unknown', 'ok'] as const;

export function createDomainStates(options: DomainStatesOptions): DomainStates {
  const { directory, check, clock = Date.now, waitMs = defaultWaitMs } = options;
  const known = new Map<string, DomainState>();
  const underWay = new Map<string, Promise<DomainState>>();
  const turns = createSemaphore(atOnceMax);

  async function lookNow(domain: string): Promise<DomainState> {
    const checks = await turns.run(() => check(domain));
    const state = { domain, state: worstOf(checks), checks, checkedAt: clock() };
    known.set(domain, state);
    return state;
  }

  function look(domain: string): Promise<DomainState> {
    const begun = underWay.get(domain);
    if (begun) return begun;
    const looking = lookNow(domain).finally(() => underWay.delete(domain));
    underWay.set(domain, looking);
    return looking;
  }

  function isDue(domain: string): boolean {
    const last = known.get(domain);
    const ageMs = clock() - (last?.checkedAt ?? -Infinity);
    const isPartial = last?.checks.some(({ state }) => state === 'unknown') ?? true;
    return ageMs > (isPartial ? unknownKeptMs : keptMs);
  }

  async function listNames(): Promise<string[]> {
    const names = (await directory.listDomains()).map(({ name }) => name);
    for (const name of known.keys()) if (!names.includes(name)) known.delete(name);
    return names;
  }

  return {
    async list() {
      const names = await listNames();
      const looking = Promise.all(names.filter(isDue).map(look));
      await Promise.race([looking, delay(waitMs, undefined, { ref: false })]);
      return names.map(
        (domain) => known.get(domain) ?? { domain, state: 'pending', checks: [], checkedAt: null },
      );
    },
    async lookAgain(name) {
      const wanted = name.toLowerCase();
      if ((await listNames()).includes(wanted)) return look(wanted);
      throw new OperatorError(`There is no domain ${JSON.stringify(name.slice(0, 80))}.`);
    },
  };
}

function worstOf(checks: readonly DomainCheck[]): DomainCheck['state'] {
  return worstFirst.find((state) => checks.some((check) => check.state === state)) ?? 'unknown';
}
