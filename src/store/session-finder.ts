// The port by which live sessions are counted and found, for the operator, and addresses are told from those that never
// were anybody's. It tells of a session what its address, age and size are, and nothing that reads a message. Every implementation passes test/contract/ports/session-finder.ts.

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
  /** Costs a look at each: to be asked seldom. */
  countLive(): Promise<number>;
  /** Live sessions whose address, in lower case, begins with `start`; in order of address, at most `limit`. */
  findLive(start: string, limit: number): Promise<FoundSession[]>;
  /** Whether the address, as it is looked up, is lent, rests, or was free again less than a day ago (`endedKnownMs`). */
  isKnownAddress(addressKey: string): Promise<boolean>;
}
