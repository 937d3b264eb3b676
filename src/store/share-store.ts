// The port to the shares of a session, which are one small text that lives and ends with it. Passes
// test/contract/ports/shares.ts.

import type { SessionKey } from '../domain/session.ts';

export interface ShareStore {
  /** Null for none, and for a session that is not live. Always what is stored now, on every node. */
  readShares(key: SessionKey): Promise<string | null>;
  /**
   * Puts `after` in the place of `before`. False, and nothing is changed, when the text is another one meanwhile or
   * the session is not live.
   */
  replaceShares(
    key: SessionKey,
    change: { readonly before: string | null; readonly after: string | null },
  ): Promise<boolean>;
}
