// A rate limiter by the generic cell rate algorithm: one number a key, no timers, exact at the edge. In memory, for
// one node. Used by the listeners, which choose the keys (src/net/client-network.ts).

export interface Rate {
  /** Events allowed in one period, evenly spread; Infinity for no limit. */
  readonly count: number;
  readonly periodMs: number;
  /** Events that may come at once; the count by default. */
  readonly burst?: number;
}

export interface RateDecision {
  readonly isAllowed: boolean;
  /** Until the next event is allowed; 0 when one is. */
  readonly retryAfterMs: number;
  /** Events that would be allowed right now. */
  readonly remaining: number;
}

/** Keys remembered at most: beyond that the ones that are free again go first, then the oldest. */
const keysMax = 100_000;

export class GcraLimiter {
  readonly #spacingMs: number;
  readonly #toleranceMs: number;
  readonly #clock: () => number;
  // Theoretical arrival time of the next event that would keep the key exactly at its rate.
  readonly #arrivals = new Map<string, number>();

  /** `clock`: monotonic milliseconds. */
  constructor({ count, periodMs, burst = count }: Rate, clock: () => number = () => performance.now()) {
    this.#spacingMs = count === Infinity ? 0 : periodMs / count;
    this.#toleranceMs = this.#spacingMs * (Math.max(1, burst) - 1);
    this.#clock = clock;
  }

  /** Counts one event of `key`, if it is allowed. */
  take(key: string): RateDecision {
    if (this.#spacingMs === 0) return { isAllowed: true, retryAfterMs: 0, remaining: Infinity };
    const now = this.#clock();
    const arrival = Math.max(this.#arrivals.get(key) ?? 0, now);
    const early = arrival - now - this.#toleranceMs;
    if (early > 0) return { isAllowed: false, retryAfterMs: early, remaining: 0 };
    // Set anew, so that the map's order is the order of use.
    this.#arrivals.delete(key);
    this.#arrivals.set(key, arrival + this.#spacingMs);
    if (this.#arrivals.size > keysMax) this.#forgetSome(now);
    const remaining = Math.floor((this.#toleranceMs - (arrival - now)) / this.#spacingMs);
    return { isAllowed: true, retryAfterMs: 0, remaining };
  }

  #forgetSome(now: number): void {
    for (const [key, arrival] of this.#arrivals) if (arrival <= now) this.#arrivals.delete(key);
    for (const key of this.#arrivals.keys()) {
      if (this.#arrivals.size <= keysMax) break;
      this.#arrivals.delete(key);
    }
  }
}
