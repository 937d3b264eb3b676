// The port to the operator's own mail, sent to postmaster and abuse. Not sealed: the operator reads it with any mail
// program.

export interface OperatorMessage {
  readonly sizeBytes: number;
  /** Including trace fields; iterated once. */
  readonly pieces: Iterable<Uint8Array>;
}

/** A stored message. */
export interface KeptMessage {
  /** Removes it: its transaction was refused after all. */
  withdraw(): Promise<void>;
}

export interface OperatorMailbox {
  /** Asked before a message of this size is sent; 0 when the size is unknown. */
  isFull(sizeBytes: number): Promise<boolean>;
  /** Resolves when the message is on disk, or with `full` when the mailbox had reached its limits before it. */
  deliver(message: OperatorMessage): Promise<KeptMessage | 'full'>;
}
