// Limits the requests of a session's token, and of the tickets in its links. Runs for every request, so it costs only
// one look-up and two short texts. Used by create-access.ts and the listener of dialects.

import { GcraLimiter } from '#networks/gcra-limiter';
import type { SessionKey } from '../../domain/session.ts';
import type { Caller } from '../caller.ts';
import { rateLimited } from '../answers/rate-limited.ts';
import { formatPolicies, formatRate } from './rate-fields.ts';

const minuteMs = 60_000;

export class RequestRate {
  readonly #name: string;
  readonly #limiter: GcraLimiter<number>;
  readonly #policy: string;
  /** Whether anything is counted and reported. */
  readonly #isLimited: boolean;

  /** `perMinute`: Infinity for no limit. */
  constructor(name: string, perMinute: number, clock?: () => number) {
    this.#name = name;
    this.#isLimited = perMinute !== Infinity;
    this.#limiter = new GcraLimiter({ count: perMinute, periodMs: minuteMs }, clock);
    this.#policy = this.#isLimited ? formatPolicies([{ name, count: perMinute, periodMs: minuteMs }]) : '';
  }

  /** Counts a request of the session and adds the rate to the answer. @throws MayflyError rate_limited */
  take(caller: Pick<Caller, 'addFields'>, key: SessionKey): void {
    if (!this.#isLimited) return;
    const decision = this.#limiter.take(toNumber(key));
    caller.addFields({ ratelimit: formatRate(this.#name, decision), 'ratelimit-policy': this.#policy });
    if (!decision.isAllowed) throw rateLimited('Too many requests for this session.', decision.retryAfterMs);
  }
}

/** 48 bits of the random key: two sessions share a rate once in 2^48. */
function toNumber(key: SessionKey): number {
  const low = ((key[3] ?? 0) << 16) | ((key[4] ?? 0) << 8) | (key[5] ?? 0);
  return (((key[0] ?? 0) << 16) | ((key[1] ?? 0) << 8) | (key[2] ?? 0)) * 2 ** 24 + low;
}
