// The port to a small text of a session that lives and ends with it: its shares, its push subscriptions, the keys of
// calls that are carried out once. Passes test/contract/ports/session-texts.ts.

import type { SessionKey } from '../domain/session.ts';

export interface SessionTextStore {
  /** Null for none, and for a session that is not live. Always what is stored now, on every node. */
  read(key: SessionKey): Promise<string | null>;
  /**
   * Replaces `before` with `after`. Resolves with false, changing nothing, when the text has changed meanwhile or the
   * session is not live.
   */
  replace(
    key: SessionKey,
    change: { readonly before: string | null; readonly after: string | null },
  ): Promise<boolean>;
}
