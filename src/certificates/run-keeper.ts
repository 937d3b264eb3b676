// The loop around the keeper: looks every few seconds, which is how a node learns of a certificate that another has
// obtained, and of challenges to answer.

import { createPause } from '#networks/pause';
import type { Logger } from '#telemetry/logger';
import { type HeldLease, holdLease } from '../store/hold-lease.ts';
import type { LeaseStore } from '../store/lease-store.ts';
import type { CertificateKeeper } from '#certificates/certificate-keeper';
import { LeaseLost } from '#certificates/certificate-records';

export const lookIntervalMs = 5000;

export interface RunKeeperOptions {
  readonly keeper: CertificateKeeper;
  readonly held: HeldLease;
  readonly log: Logger;
  /** Aborted by `close`; ends waits and exchanges of an order. */
  readonly stopping: AbortController;
}

export function holdCertificateLease(leases: LeaseStore, holder: string, log: Logger): HeldLease {
  return holdLease({
    leases,
    name: 'certificate',
    holder,
    onError: (error) => {
      log.error('certificate.lease_failed', { error });
    },
  });
}

/** Starts at once. `close` resolves when nothing is written any more. */
export function runKeeper({ keeper, held, log, stopping }: RunKeeperOptions): { close(): Promise<void> } {
  const { signal } = stopping;
  const pause = createPause(signal);
  held.onTaken(() => {
    pause.wake();
  });
  const running = (async () => {
    while (!signal.aborted) {
      pause.begin();
      try {
        await keeper.step();
      } catch (error) {
        // An order that is cut short by the end of the service is taken up again at the next start.
        if (error instanceof LeaseLost || isAborted(signal)) log.info('certificate.interrupted');
        else log.error('certificate.failed', { error });
      }
      await pause.rest(lookIntervalMs);
    }
  })();
  return {
    close: async () => {
      stopping.abort();
      await running;
      await held.close();
    },
  };
}

function isAborted({ aborted }: AbortSignal): boolean {
  return aborted;
}
