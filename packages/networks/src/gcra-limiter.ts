// A rate limiter by the generic cell rate algorithm: one number per key, no timers, exact at the limit. In memory, for
// one node. Its callers choose the keys, such as networks. Holds a bounded number of them, and no call costs more than a
// few look-ups under any traffic.

export interface Rate {
  /** Events allowed at once, and then in each period, evenly spread; Infinity for no limit. */
  readonly count: number;
  readonly periodMs: number;
}

export interface RateDecision {
  readonly isAllowed: boolean;
  /** Until the next event is allowed; 0 when one is. */
  readonly retryAfterMs: number;
  /** Events that would be allowed now. */
  readonly remaining: number;
  /** Until the key is back at its full allowance. */
  readonly resetMs: number;
}

/** The most keys remembered. */
const keysMax = 200_000;
const unlimited: RateDecision = { isAllowed: true, retryAfterMs: 0, remaining: Infinity, resetMs: 0 };

export class GcraLimiter<Key extends string | number = string> {
  readonly #spacingMs: number;
  readonly #toleranceMs: number;
  readonly #periodMs: number;
  readonly #clock: () => number;
  // Theoretical arrival times by key, in two generations: keys not used for a period are free again and are dropped all
  // at once with the older generation. When there are too many, the least recently used keys are dropped in the same
  // way; nothing is ever searched.
  #recent = new Map<Key, number>();
  #older = new Map<Key, number>();
  #turnedAt = -Infinity;

  /** `clock`: monotonic milliseconds. */
  constructor({ count, periodMs }: Rate, clock: () => number = () => performance.now()) {
    this.#spacingMs = count === Infinity ? 0 : periodMs / count;
    this.#toleranceMs = this.#spacingMs * (Math.max(1, count) - 1);
    // The furthest ahead that an arrival time can be.
    this.#periodMs = this.#toleranceMs + this.#spacingMs;
    this.#clock = clock;
  }

  /** Counts one event of `key` if it is allowed. */
  take(key: Key): RateDecision {
    if (this.#spacingMs === 0) return unlimited;
    const now = this.#clock();
    if (now - this.#turnedAt > this.#periodMs || this.#recent.size >= keysMax / 2) this.#turn(now);
    const arrival = Math.max(this.#find(key), now);
    const early = arrival - now - this.#toleranceMs;
    if (early > 0) return { isAllowed: false, retryAfterMs: early, remaining: 0, resetMs: arrival - now };
    const next = arrival + this.#spacingMs;
    this.#recent.set(key, next);
    const remaining = Math.floor((this.#toleranceMs - (arrival - now)) / this.#spacingMs);
    return { isAllowed: true, retryAfterMs: 0, remaining, resetMs: next - now };
  }

  /** Returns what `take` would, without counting. */
  look(key: Key): RateDecision {
    if (this.#spacingMs === 0) return unlimited;
    const now = this.#clock();
    const ahead = Math.max(this.#find(key) - now, 0);
    const early = Math.max(ahead - this.#toleranceMs, 0);
    const remaining = early > 0 ? 0 : 1 + Math.floor((this.#toleranceMs - ahead) / this.#spacingMs);
    return { isAllowed: early === 0, retryAfterMs: early, remaining, resetMs: ahead };
  }

  /** Reports whether `take` would refuse, without counting or allocating: called for every recipient. */
  isSpent(key: Key): boolean {
    if (this.#spacingMs === 0 || this.#recent.size + this.#older.size === 0) return false;
    return this.#find(key) - this.#clock() > this.#toleranceMs;
  }

  #find(key: Key): number {
    return this.#recent.get(key) ?? this.#older.get(key) ?? 0;
  }

  #turn(now: number): void {
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#turnedAt = now;
  }
}
