// What a store tells of its work, for metrics. Its methods must be quick and must not throw: they are called on the
// path of every commit. Handed in by app.ts.

export interface StoreObserver {
  /** `writes` shared the commit. */
  onCommit(seconds: number, writes: number): void;
  /** A commit failed; its writes are tried singly. */
  onRollback(): void;
  /** The log was moved into the database file. */
  onCheckpoint(mode: 'passive' | 'truncate', seconds: number): void;
  /** The log could not be moved just now, for want of room or descriptors; it is tried again. */
  onCheckpointFailed(error: Error): void;
  onSessionCreated(): void;
}

/** How the store is just now. */
export interface StoreFigures {
  /** Writes that wait for a commit, and how long the first of them has. */
  readonly waitingWrites: number;
  readonly longestWaitMs: number;
  readonly logBytes: number;
  readonly databaseBytes: number;
  /** Within the database file. */
  readonly freeBytes: number;
}

export const noObserver: StoreObserver = {
  onCommit: () => undefined,
  onRollback: () => undefined,
  onCheckpoint: () => undefined,
  onCheckpointFailed: () => undefined,
  onSessionCreated: () => undefined,
};
