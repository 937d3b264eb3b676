// Kept by the group commit, read by whoever tells of what was written.

/** How far writing has come, for readers that must not tell what a power cut could still undo. */
export interface CommitProgress {
  /** Number of the commit that is made now or next. */
  current: number;
  /** Every commit up to this number is on disk. */
  synced: number;
}
