// When deliveries are handed to a thread of their own, and to which. Asked by the group commit.

import { DeliveryThread, type DeliveryThreadOptions } from './delivery-thread.ts';
import type { OpenEndpoints } from './open-endpoints.ts';
import type { SessionReads } from './session-reads.ts';
import type { SqliteCopy } from './sqlite-copy.ts';

export interface HandOver {
  readonly thread: DeliveryThread;
  /** Whether the thread may write deliveries now, and it pays. */
  isGood(): boolean;
  /** So many are about to be written, by whichever thread. */
  noteDeliveries(count: number): void;
}

export function createHandOver({
  copy,
  endpoints,
  reads,
  ...options
}: DeliveryThreadOptions & {
  readonly copy: SqliteCopy;
  readonly endpoints: OpenEndpoints;
  readonly reads: SessionReads;
}): HandOver {
  return {
    thread: new DeliveryThread(options),
    isGood: () => !copy.isCopying() && !endpoints.mayBe && !reads.areDear,
    noteDeliveries: (count) => {
      reads.noteGroup(count);
    },
  };
}
