// One attempt to deliver a message to a session's address, as listed in its delivery log.

export interface DeliveryAttempt {
  readonly outcome: 'accepted' | 'refused';
  /** The reply to the sender, in one line without its end. */
  readonly reply: string;
  /** The bytes received, or the size the sender declared; null when neither is known. */
  readonly sizeBytes: number | null;
  readonly remoteAddress: string;
  /** TLS version and cipher; null for a plain connection. */
  readonly tls: string | null;
  /** The reverse-path as given by the sender (untrusted); null for `<>`. */
  readonly mailFrom: string | null;
}

/** The most attempts that a session's log keeps. */
export const attemptLogMaxEntries = 50;
