// A session: one lent address, one token, one expiry. What every layer below the HTTP edge works with.

/** First 128 bits of the token's SHA-256 (16 bytes): where the session's rows are. */
export type SessionKey = Uint8Array & { readonly __brand: 'SessionKey' };

/** The key as a key of maps: equal for equal bytes, a character each. A view, since it is on the way of every message. */
export function toKeyText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

export interface Session {
  readonly key: SessionKey;
  /** As lent, e.g. `quiet-fox@mayfly.test`. */
  readonly address: string;
  /** AES-256 key of everything stored for the session; gone when the session is erased. */
  readonly dataKey: Uint8Array;
  /** Instants in ms since 1970, on the store's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The latest instant extensions can reach. */
  readonly latestEndAt: number;
  /** Number of the newest entry in the session's log; 0 when there is none. */
  readonly seq: number;
  /** Changes whenever a list of the session's messages would: a delivery, a deletion, a reading, an extension. */
  readonly version: number;
  readonly messageCount: number;
  /** Raw bytes of the stored messages. */
  readonly messageBytes: number;
  /** Its oldest messages make room for a new one; of other sessions that is refused. */
  readonly dropsOldest?: boolean;
  /**
   * The network of whatever asks for the session at this moment, where that is known. Not stored: the interfaces put it
   * there, so that turns at shared threads go by it too.
   */
  readonly askedFrom?: string;
}

/** What a token leads to. `ended` is told for 24 h after the end, `unknown` afterwards. */
export type SessionLookup =
  | { readonly state: 'live'; readonly session: Session; readonly now: number }
  | { readonly state: 'ended' }
  | { readonly state: 'unknown' };
