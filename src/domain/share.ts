// A share: leave for others to read one session, or one message of it, until an instant. It gives no right to change
// anything, and its holder can take it back.

export interface Share {
  /** Names the share to the session's holder; of no use to anybody else. */
  readonly id: string;
  /** SHA-256 of its token, in hex. */
  readonly hash: string;
  /** The one message it is for; null for the whole session. */
  readonly messageId: number | null;
  /** Instants in ms since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** At once, for one session. */
export const sharesMax = 20;

/** What is kept with a session: those that have not expired. */
export function formatShares(shares: readonly Share[]): string | null {
  return shares.length === 0 ? null : JSON.stringify(shares);
}

/** @throws SyntaxError for text that formatShares did not make */
export function parseShares(text: string | null): readonly Share[] {
  return text === null ? [] : (JSON.parse(text) as Share[]);
}
