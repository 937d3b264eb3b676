// A share: permission to read one session, or one message of it, until an instant. It grants no changes, and the
// session's holder can revoke it.

export interface Share {
  /** Identifies the share to the session's holder; useless to anyone else. */
  readonly id: string;
  /** SHA-256 of its token, in hex. */
  readonly hash: string;
  /** The session's reading key, wrapped under its token; in base64url. */
  readonly wrapped: string;
  /** The one message it grants; null for the whole session. */
  readonly messageId: number | null;
  /** Instants in ms since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The most shares of one session at a time. */
export const sharesMax = 20;

/** Serialises the shares that are stored with a session; the caller drops expired ones. */
export function formatShares(shares: readonly Share[]): string | null {
  return shares.length === 0 ? null : JSON.stringify(shares);
}

/** @throws SyntaxError for text that formatShares did not make */
export function parseShares(text: string | null): readonly Share[] {
  return text === null ? [] : (JSON.parse(text) as Share[]);
}
