// Reports events lost because an endpoint's queue was full to the operator, at most every ten seconds. Owned by the
// dispatcher.

import type { Logger } from '#telemetry/logger';
import type { JobsStore } from '../store/jobs-store.ts';

const intervalMs = 10_000;

export class OverflowReport {
  readonly #jobs: Pick<JobsStore, 'takeOverflow'>;
  readonly #log: Logger;
  #reportedAt = performance.now();
  #total = 0;

  constructor(jobs: Pick<JobsStore, 'takeOverflow'>, log: Logger) {
    this.#jobs = jobs;
    this.#log = log;
  }

  async reportWhenDue(): Promise<void> {
    if (performance.now() - this.#reportedAt >= intervalMs) await this.report();
  }

  async report(): Promise<void> {
    this.#reportedAt = performance.now();
    const queues = await this.#jobs.takeOverflow();
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
