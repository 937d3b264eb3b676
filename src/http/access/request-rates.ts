// Limits the requests of a session's token, and of the tickets in its links. Runs for every request, so it takes one
// look-up and two short texts. Used by create-access.ts.

import { GcraLimiter } from '../../limits/gcra-limiter.ts';
import type { SessionKey } from '../../domain/session.ts';
import type { RateDecision } from '../../limits/gcra-limiter.ts';
import { formatPolicies, formatRate, type RateFields } from './rate-fields.ts';

const minuteMs = 60_000;

export class RequestRate {
  readonly #name: string;
  readonly #limiter: GcraLimiter<number>;
  readonly #policy: string;
  /** Whether anything is counted and reported. */
  readonly isLimited: boolean;

  /** `perMinute`: Infinity for no limit. */
  constructor(name: string, perMinute: number, clock?: () => number) {
    this.#name = name;
    this.isLimited = perMinute !== Infinity;
    this.#limiter = new GcraLimiter({ count: perMinute, periodMs: minuteMs }, clock);
    this.#policy = this.isLimited ? formatPolicies([{ name, count: perMinute, periodMs: minuteMs }]) : '';
  }

  take(key: SessionKey): RateDecision {
    return this.#limiter.take(toNumber(key));
  }

  format(decision: RateDecision): RateFields {
    return { ratelimit: formatRate(this.#name, decision), 'ratelimit-policy': this.#policy };
  }
}

/** 48 bits of the random key: two sessions share a rate once in 2^48. */
function toNumber(key: SessionKey): number {
  const low = ((key[3] ?? 0) << 16) | ((key[4] ?? 0) << 8) | (key[5] ?? 0);
  return (((key[0] ?? 0) << 16) | ((key[1] ?? 0) << 8) | (key[2] ?? 0)) * 2 ** 24 + low;
}
