// Computes how long a poller waits before it reconnects: doubled each time, with jitter, so that accounts that failed
// together do not reconnect together.

export interface BackoffTimes {
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  readonly throttledMs: number;
}

export class Backoff {
  readonly #times: BackoffTimes;
  readonly #random: () => number;
  #failures = 0;

  constructor(times: BackoffTimes, random: () => number = Math.random) {
    this.#times = times;
    this.#random = random;
  }

  /** Returns the wait in ms, between half of the due time and all of it. */
  next(isThrottled: boolean): number {
    const { backoffMinMs, backoffMaxMs, throttledMs } = this.#times;
    const first = isThrottled ? throttledMs : backoffMinMs;
    // 2^31 times the shortest wait exceeds any bound.
    const due = Math.min(backoffMaxMs, first * 2 ** Math.min(this.#failures, 31));
    this.#failures += 1;
    return Math.round(due * (0.5 + this.#random() / 2));
  }

  /** Resets after a success. */
  reset(): void {
    this.#failures = 0;
  }
}
