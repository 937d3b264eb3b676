// The port to the passwords of sessions: one small sealed record per session with a password, which ends with it.
// Passes test/contract/ports/passwords.ts.

import type { SessionKey } from '../domain/session.ts';

export interface PasswordStore {
  /** Resolves with undefined for none, and for a session that is not live. Always current, on every node. */
  readPassword(key: SessionKey): Promise<Uint8Array | undefined>;
  /** Replaces the stored record. Resolves with false, changing nothing, when the session is not live. */
  replacePassword(key: SessionKey, sealed: Uint8Array): Promise<boolean>;
}
