// The port to the part of a session's delivery log that its messages cannot supply: refused attempts, and accepted
// ones whose message was deleted (kept by MailStore.deleteMessage). Entries arrive sealed. Passes
// test/contract/attempts.ts.

import type { SessionKey } from '../domain/session.ts';

export interface StoredAttempt {
  /** ms since 1970, on the store's clock. */
  readonly at: number;
  readonly sealed: Uint8Array;
}

export interface AttemptStore {
  /**
   * Stores an attempt made now, with the next commit or within a second. Does nothing if the session is no longer live
   * by then. The oldest are dropped when the log is full.
   */
  addAttempt(key: SessionKey, sealed: Uint8Array): Promise<void>;
  /** Newest first, including everything added before this call. */
  listAttempts(key: SessionKey): Promise<StoredAttempt[]>;
}
