// The background work of nodes that share a store: one of them sweeps, one keeps the partitions, each under a lease
// that another takes over when its holder is gone. The database checks at each step that it still has it.

import { randomUUID } from 'node:crypto';

import { createSweeper } from '../service/sweep-expired.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { SharedStore } from '../store/stores.ts';
import { holdLease } from './hold-lease.ts';

export interface SharedJobsOptions {
  readonly mail: MailStore;
  readonly shared: SharedStore;
  readonly onError: (error: unknown) => void;
  /** Told after each round of the sweep that went well. */
  readonly onRound: (ended: number) => void;
}

/**
 * A fifth of a second of one of the database's processes. Fewer spend that waiting: for the log at the commit, and for
 * this process, which answers senders first.
 */
const endedAtOnce = 1000;
/** Taking keys out of the database's log asks for a checkpoint each time. */
const scrubIntervalMs = 300_000;
const partitionsIntervalMs = 600_000;

export function createSharedJobs({ mail, shared, onError, onRound }: SharedJobsOptions): {
  close(): Promise<void>;
} {
  const holder = randomUUID();
  const sweep = holdLease({ leases: shared.leases, name: 'sweep', holder, onError });
  const sweeper = createSweeper({
    mail,
    onError,
    onRound,
    lease: sweep.current,
    endedAtOnce,
    scrubIntervalMs,
  });
  let running = Promise.resolve();
  const keepPartitions = (): void => {
    running = running.then(async () => {
      const lease = sweep.current();
      if (!lease) return;
      try {
        await shared.partitions.makeAhead(lease);
        await shared.partitions.dropPassed(lease);
      } catch (error) {
        onError(error);
      }
    });
  };
  const timer = setInterval(keepPartitions, partitionsIntervalMs).unref();
  sweep.onTaken(keepPartitions);
  return {
    close: async () => {
      clearInterval(timer);
      await sweeper.close();
      await running;
      await sweep.close();
    },
  };
}
