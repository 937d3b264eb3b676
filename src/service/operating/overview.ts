// The machine, the store and the nodes, as the operator's overview shows them. Instants are ms since 1970.

import type { DiskFacts } from '#doctor/facts';
import type { QueueLength } from '../../store/queue-store.ts';
import type { StoreMeasure } from '../../store/stores.ts';

export interface OverviewCertificate {
  readonly serves: readonly ('HTTPS' | 'STARTTLS')[];
  readonly names: readonly string[];
  readonly notAfter: number;
}

export interface OverviewNode {
  readonly host: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly startedAt: number;
  /** When it last reported. */
  readonly seenAt: number;
  readonly isAlive: boolean;
  /** Whether it is the process that answers. */
  readonly isSelf: boolean;
}

export interface Overview {
  readonly disk: DiskFacts | 'unknown';
  readonly store: StoreMeasure & {
    /** Whether it lies in the data folder, and so on that disk. */
    readonly isOnDisk: boolean;
  };
  readonly certificates: readonly OverviewCertificate[];
  /** The last that was made and verified; undefined when none is known. */
  readonly backup: { readonly madeAt: number; readonly folder: string } | undefined;
  readonly webhooks: QueueLength;
  /** Sessions with a notification to send, of the process that answers. */
  readonly pushesWaiting: number;
  readonly nodes: readonly OverviewNode[];
}

/** Counts of the queue stop here. */
export const queueCounted = 10_000;
