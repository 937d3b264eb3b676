// The port to the operator's Gmail accounts: their settings, the poller's progress, and the work left to do in an
// account after a delivery. Every implementation passes test/contract/gmail.ts. Credentials arrive sealed. Time is the
// store's own clock.

import type { SessionKey } from '../domain/session.ts';
import type { Lease } from './lease-store.ts';

export type ImapSecurity = 'tls' | 'starttls' | 'none';

/** How an account is reached. */
export interface GmailAccountSettings {
  /** In the account's own spelling, lower case. */
  readonly email: string;
  readonly host: string;
  readonly port: number;
  readonly security: ImapSecurity;
  /** Login name, usually the address. */
  readonly user: string;
  readonly auth: 'password' | 'oauth2';
  readonly sealedCredentials: Uint8Array;
  /** When null: by SPECIAL-USE, \All, else INBOX. */
  readonly inboxFolder: string | null;
  /** When null: by SPECIAL-USE, \Junk, else none. */
  readonly spamFolder: string | null;
}

/**
 * As of the poller's last try. `new`: not yet connected. `failing`: connection lost, retrying. `refused`: login
 * refused, waiting for the operator.
 */
export type GmailAccountHealth = 'new' | 'healthy' | 'failing' | 'refused';

export interface GmailAccount extends GmailAccountSettings {
  /** Never reused, not even after removal. */
  readonly id: number;
  /** False when the operator disabled it. */
  readonly isActive: boolean;
  readonly health: GmailAccountHealth;
  /** One line for the operator; empty when healthy. */
  readonly detail: string;
  /** When health last changed, ms since 1970. */
  readonly healthAt: number;
  readonly liveSessions: number;
  /** When the oldest of them was created, ms since 1970 on the store's clock; null when there is none. */
  readonly oldestSessionAt: number | null;
  /** Bytes fetched on the current UTC day. */
  readonly bytesToday: number;
  /** Messages since the account was added that matched no live alias; these are counted but never read. */
  readonly unmatched: number;
  /** Grows with every change by the operator, so that the poller restarts. */
  readonly revision: number;
}

export interface GmailCursor {
  /** Up to 2^32-1; decimal digits where a library returns bigint. */
  readonly uidValidity: number;
  readonly lastUid: number;
}

/** A delivered message to be dealt with in the account once its sessions have ended. */
export interface GmailCleanup {
  readonly id: number;
  readonly folder: string;
  readonly uidValidity: number;
  readonly uid: number;
  /** RFC 5322 Message-ID, or X-GM-MSGID; compared before anything is moved. */
  readonly messageTag: string;
}

export interface GmailProgress {
  readonly accountId: number;
  readonly folder: string;
  readonly cursor: GmailCursor;
  /** Bytes fetched and messages without a match since the last call. */
  readonly bytes: number;
  readonly unmatched: number;
}

export interface GmailStore {
  /** In order of id, including disabled ones. */
  listAccounts(): Promise<readonly GmailAccount[]>;
  /** Adds the account, or replaces the settings of the one with this email and activates it. */
  addAccount(settings: GmailAccountSettings): Promise<GmailAccount>;
  /** Resolves with undefined when there is none. */
  disableAccount(email: string): Promise<GmailAccount | undefined>;
  /** Removes the account and ends its live sessions. Resolves with how many ended; undefined when there is none. */
  removeAccount(email: string): Promise<number | undefined>;
  /** Replaces every account's sealed credentials in one commit, for a new secret key. */
  resealCredentials(reseal: (account: GmailAccount) => Uint8Array): Promise<void>;
  /** Returns the account's next number for a dot variant, from 0, each once. */
  takeAliasNumber(accountId: number): Promise<number>;
  /** Counts the account's addresses without a plus tag that are live or in quarantine. */
  countHeldDotVariants(accountId: number): Promise<number>;

  /** Resolves with false, changing nothing, when another process has the lease. */
  keepHealth(
    lease: Lease,
    accountId: number,
    health: { readonly health: GmailAccountHealth; readonly detail: string },
  ): Promise<boolean>;
  findCursor(accountId: number, folder: string): Promise<GmailCursor | undefined>;
  /** Resolves with false when another process has the lease. */
  keepProgress(lease: Lease, progress: GmailProgress): Promise<boolean>;

  /** Records a delivered message, to be dealt with when its sessions end. Call before the cursor moves past it. */
  addCleanup(
    accountId: number,
    cleanup: Omit<GmailCleanup, 'id'>,
    sessions: readonly SessionKey[],
  ): Promise<void>;
  /** Returns the cleanups whose sessions have all ended. */
  listDueCleanups(accountId: number, limit: number): Promise<readonly GmailCleanup[]>;
  finishCleanup(lease: Lease, id: number): Promise<boolean>;
}
