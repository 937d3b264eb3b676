// One attempt to deliver a message to a session's address, as its delivery log tells it.

export interface DeliveryAttempt {
  readonly outcome: 'accepted' | 'refused';
  /** What the sender was answered, in one line without its end. */
  readonly reply: string;
  /** Of the message as far as it came, or as the sender declared it; null when neither is known. */
  readonly sizeBytes: number | null;
  readonly remoteAddress: string;
  /** TLS version and cipher, null when the connection was in the clear. */
  readonly tls: string | null;
  /** Reverse-path as the sender gave it (untrusted), null for `<>`. */
  readonly mailFrom: string | null;
}

/** Attempts that a session's log goes back. */
export const attemptLogMaxEntries = 50;
