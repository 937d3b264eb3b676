// A store's reports about its work, for metrics. Called on the path of every commit, so the methods must be quick and
// must not throw. Passed in by app.ts.

export interface StoreObserver {
  /** `writes` shared the commit. */
  onCommit(seconds: number, writes: number): void;
  /** A commit failed; its writes are tried one by one. */
  onRollback(): void;
  /** The log was moved to the database file. */
  onCheckpoint(mode: 'beside' | 'paused', seconds: number): void;
  /** The log could not be moved for lack of space or descriptors; it is retried. */
  onCheckpointFailed(error: Error): void;
  /** The disk refused a write, and nothing of it is stored. */
  onWriteRefused(error: Error): void;
  onSessionCreated(): void;
}

/** The store's current figures. */
export interface StoreFigures {
  /** Writes waiting for a commit, and how long the first has waited. */
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
  onWriteRefused: () => undefined,
  onSessionCreated: () => undefined,
};
