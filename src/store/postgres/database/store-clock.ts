// The database's clock, without asking it each time: what it said last, and the time that has passed since on a clock
// of ours that is never set. All nodes share it, however far apart their own clocks are. Owned by
// open-postgres-store.ts.

import type { Connections, Statement } from '#postgres/connections';

export interface StoreClockOptions {
  readonly connections: Pick<Connections, 'read'>;
  /** Returns the instant set by tests, else null. */
  readonly now: () => number | null;
  /** Monotonic, ms. */
  readonly elapsed?: () => number;
}

export const readNow: Statement = { name: 'mayfly_now', text: 'SELECT mayfly.now_ms($1) AS now' };

export class StoreClock {
  readonly #options: StoreClockOptions;
  /** The database's clock when `#elapsed()` was 0. */
  #zero = 0;

  constructor(options: StoreClockOptions) {
    this.#options = options;
  }

  /** Compares the clocks; called at the start, and again now and then. */
  async read(): Promise<void> {
    const askedAt = this.#elapsed();
    const [row] = await this.#options.connections.read<{ now: number }>(readNow, [this.#options.now()]);
    if (!row) throw new Error('The database returned no time.');
    this.#zero = row.now - (askedAt + this.#elapsed()) / 2;
  }

  /** ms since 1970. */
  now(): number {
    return this.#options.now() ?? Math.round(this.#zero + this.#elapsed());
  }

  #elapsed(): number {
    return (this.#options.elapsed ?? performance.now.bind(performance))();
  }
}
