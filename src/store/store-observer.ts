// A store's reports about its work, for metrics. Called on the path of every commit, so the methods must be quick and
// must not throw. Passed in by app.ts.

import type { CheckpointObserver } from '#group-commit/checkpointer';
import type { CommitObserver } from '#group-commit/writer';

export interface StoreObserver extends CommitObserver, CheckpointObserver {
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
