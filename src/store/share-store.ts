// The port to the shares of a session, stored as one small text that ends with it. Passes
// test/contract/ports/shares.ts.

import type { SessionKey } from '../domain/session.ts';

export interface ShareStore {
  /** Resolves with null for none, and for a session that is not live. Always current, on every node. */
  readShares(key: SessionKey): Promise<string | null>;
  /**
   * Replaces `before` with `after`. Resolves with false, changing nothing, when the text has changed meanwhile or the
   * session is not live.
   */
  replaceShares(
    key: SessionKey,
    change: { readonly before: string | null; readonly after: string | null },
  ): Promise<boolean>;
}
