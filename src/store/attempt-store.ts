// The port to what a session's delivery log cannot read off its messages: refused attempts, and accepted ones whose
// message has been deleted (MailStore.deleteMessage keeps those). Passes test/contract/attempts.ts. What is kept is
// sealed already.

import type { SessionKey } from '../domain/session.ts';

export interface StoredAttempt {
  /** ms since 1970, on the store's clock. */
  readonly at: number;
  readonly sealed: Uint8Array;
}

export interface AttemptStore {
  /**
   * Keeps an attempt made now, in the next commit that something else causes or within a second. Does nothing when
   * the session is not live by then. Of more than the log goes back the oldest are dropped.
   */
  addAttempt(key: SessionKey, sealed: Uint8Array): Promise<void>;
  /** Newest first, whatever was added before this call included. */
  listAttempts(key: SessionKey): Promise<StoredAttempt[]>;
}
