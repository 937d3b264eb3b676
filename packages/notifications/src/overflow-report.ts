// Reports events lost because an endpoint's queue was full to the operator, at most every ten seconds.

import type { Logger } from '../../telemetry/src/logger.ts';

/** Where the losses are counted. */
export interface OverflowCounts {
  /** Returns all since the last call, each once. */
  takeOverflow(): Promise<readonly { readonly endpointId: number; readonly events: number }[]>;
}

const intervalMs = 10_000;

export class OverflowReport {
  readonly #counts: OverflowCounts;
  readonly #log: Logger;
  #reportedAt = performance.now();
  #total = 0;

  constructor(counts: OverflowCounts, log: Logger) {
    this.#counts = counts;
    this.#log = log;
  }

  async reportWhenDue(): Promise<void> {
    if (performance.now() - this.#reportedAt >= intervalMs) await this.report();
  }

  async report(): Promise<void> {
    this.#reportedAt = performance.now();
    const queues = await this.#counts.takeOverflow();
    const events = queues.reduce((sum, queue) => sum + queue.events, 0);
    if (events === 0) return;
    this.#total += events;
    const worst = queues.reduce((one, other) => (other.events > one.events ? other : one));
    this.#log.warn('webhook.queue_full', {
      events,
      endpoints: queues.length,
      total: this.#total,
      worst_endpoint: worst.endpointId,
      worst_events: worst.events,
    });
  }
}
