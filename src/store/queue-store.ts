// The port to the length of the queue of webhooks, for the operator. Every implementation passes
// test/contract/ports/queue.ts.

export interface QueueLength {
  /** Webhooks that wait to be sent, and the dead ones; each counted up to the bound. */
  readonly waiting: number;
  readonly dead: number;
  /** Since when the longest has waited, ms since 1970; null when none waits. */
  readonly oldestAt: number | null;
}

export interface QueueStore {
  /** Reads no more than `countedMax` rows of each kind. */
  measureQueue(countedMax: number): Promise<QueueLength>;
}
