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

export interface Letter {
  readonly id: string;
  readonly isNew: boolean;
  readonly at: Date;
  readonly bytes: number;
}

/** The messages as the operator reads them, beside a running service. */
export interface Letters {
  /** Newest first. */
  list(): Promise<readonly Letter[]>;
  /** Returns at most the first `bytesMax`; none of a message that was removed meanwhile. */
  read(id: string, bytesMax: number): Promise<Buffer>;
  markRead(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}
