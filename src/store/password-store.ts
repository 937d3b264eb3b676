// The port to the passwords of sessions: one small sealed piece for each session that has one, which lives and ends with it.
// Passes test/contract/ports/passwords.ts.

import type { SessionKey } from '../domain/session.ts';

export interface PasswordStore {
  /** Undefined for none, and for a session that is not live. Always what is stored now, on every node. */
  readPassword(key: SessionKey): Promise<Uint8Array | undefined>;
  /**
   * Puts it in the place of what was there. It has to be sealed under the session's data key, whose end makes it unreadable.
   * False, and nothing is changed, when the session is not live.
   */
  replacePassword(key: SessionKey, sealed: Uint8Array): Promise<boolean>;
}
