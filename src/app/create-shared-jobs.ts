// The background work of nodes that share a store: one of them sweeps and one keeps the partitions, each under a lease
// that another node takes over when its holder is gone. The database checks the lease at each step. Part of the
// composition root.

import { randomUUID } from 'node:crypto';

import { createSweeper } from '../service/addresses/sweep-expired.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { SharedStore } from '../store/stores.ts';
import { holdLease } from '../store/hold-lease.ts';

export interface SharedJobsOptions {
  readonly mail: MailStore;
  readonly shared: SharedStore;
  readonly onError: (error: unknown) => void;
  /** Called after each successful round of the sweep. */
  readonly onRound: (ended: number) => void;
}

/**
 * Sessions ended in one commit, which takes one of the database's processes a fifth of a second. Smaller rounds spend
 * that time waiting for the log at commit, and for this process, which answers senders first.
 */
const endedAtOnce = 1000;
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
