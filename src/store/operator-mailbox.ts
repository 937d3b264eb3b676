// The port to the operator's own mail, sent to postmaster and abuse. Not sealed: the operator reads it with any mail
// program.

export interface OperatorMessage {
  readonly sizeBytes: number;
  /** Including trace fields; iterated once. */
  readonly pieces: Iterable<Uint8Array>;
}

export interface OperatorMailbox {
  /** Resolves when the message is on disk, or with `full` when the mailbox has reached its limits. */
  deliver(message: OperatorMessage): Promise<'stored' | 'full'>;
}
