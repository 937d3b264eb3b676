// The port by which operators count and find live sessions and tell used addresses from unused ones. Reveals a
// session's address, age and size, and nothing that would allow reading a message. Every implementation passes
// test/contract/ports/session-finder.ts.

import type { SessionKey } from '../domain/session.ts';

export interface FoundSession {
  readonly key: SessionKey;
  readonly address: string;
  /** Instants in ms since 1970, on the store's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly messageCount: number;
  readonly messageBytes: number;
}

export interface SessionFinder {
  /** Visits each session, so call it sparingly. */
  countLive(): Promise<number>;
  /** Returns live sessions whose address, in lower case, begins with `start`; in order of address, at most `limit`. */
  findLive(start: string, limit: number): Promise<FoundSession[]>;
  /** Returns the addresses of live sessions after this one, in look-up form and order, at most `limit`; all after ''. */
  listLiveAfter(address: string, limit: number): Promise<string[]>;
  /**
   * Reports whether the address, in look-up form, is in use, in quarantine, or became free less than a day ago
   * (`endedKnownMs`).
   */
  isKnownAddress(addressKey: string): Promise<boolean>;
}
