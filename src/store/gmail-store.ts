// The port to the operator's Gmail accounts: what the operator sets up, what the poller remembers between connections,
// and what is still to be done in an account after a delivery. Every implementation passes test/contract/gmail.ts.
// Credentials arrive sealed. Time is the store's own clock.

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
  /** Login name, mostly the address. */
  readonly user: string;
  readonly auth: 'password' | 'oauth2';
  readonly sealedCredentials: Uint8Array;
  /** Null: by SPECIAL-USE, \All, else INBOX. */
  readonly inboxFolder: string | null;
  /** Null: by SPECIAL-USE, \Junk, else none. */
  readonly spamFolder: string | null;
}

/**
 * What the poller last saw. `new`: not yet connected. `failing`: connection lost, it tries again. `refused`: the login
 * was refused, it waits for the operator.
 */
export type GmailAccountHealth = 'new' | 'healthy' | 'failing' | 'refused';

export interface GmailAccount extends GmailAccountSettings {
  /** Never reused, not even after removal. */
  readonly id: number;
  /** False once the operator disabled it. */
  readonly isActive: boolean;
  readonly health: GmailAccountHealth;
  /** For the operator, one line; empty when healthy. */
  readonly detail: string;
  /** Instant of the last change of health, ms since 1970. */
  readonly healthAt: number;
  readonly liveSessions: number;
  /** Bytes fetched on the current UTC day. */
  readonly bytesToday: number;
  /** Messages that matched no live alias, since the account was added: counted, never read. */
  readonly unmatched: number;
  /** Grows with every change that the operator makes, so that a poller knows to start anew. */
  readonly revision: number;
}

export interface GmailCursor {
  /** Up to 2^32-1, as text of digits where a library hands out bigint. */
  readonly uidValidity: number;
  readonly lastUid: number;
}

/** A message that was delivered from an account and is to be dealt with there once its sessions have ended. */
export interface GmailCleanup {
  readonly id: number;
  readonly folder: string;
  readonly uidValidity: number;
  readonly uid: number;
  /** RFC 5322 Message-ID, or X-GM-MSGID; to be compared before anything is moved. */
  readonly messageTag: string;
}

export interface GmailProgress {
  readonly accountId: number;
  readonly folder: string;
  readonly cursor: GmailCursor;
  /** Bytes fetched, and messages that matched nobody, since the last call. */
  readonly bytes: number;
  readonly unmatched: number;
}

export interface GmailStore {
  /** In order of id, disabled ones included. */
  listAccounts(): Promise<readonly GmailAccount[]>;
  /** Adds the account, or replaces the settings of the one with this email and makes it active. */
  addAccount(settings: GmailAccountSettings): Promise<GmailAccount>;
  /** undefined when there is none. */
  disableAccount(email: string): Promise<GmailAccount | undefined>;
  /** Removes the account and ends its live sessions; returns how many ended, undefined when there is none. */
  removeAccount(email: string): Promise<number | undefined>;
  /** Replaces every account's sealed credentials in one commit (a new secret key). */
  resealCredentials(reseal: (account: GmailAccount) => Uint8Array): Promise<void>;
  /** The account's next number for a dot variant, from 0, each handed out once. */
  takeAliasNumber(accountId: number): Promise<number>;
  /** Addresses of the account that are live or in quarantine and without a plus tag. */
  countHeldDotVariants(accountId: number): Promise<number>;

  /** Does nothing when the lease is another's by now: false. */
  keepHealth(
    lease: Lease,
    accountId: number,
    health: { readonly health: GmailAccountHealth; readonly detail: string },
  ): Promise<boolean>;
  findCursor(accountId: number, folder: string): Promise<GmailCursor | undefined>;
  /** False when the lease is another's by now. */
  keepProgress(lease: Lease, progress: GmailProgress): Promise<boolean>;

  /** Remembers, for after the sessions' end, what was delivered. Before the cursor moves past it. */
  addCleanup(
    accountId: number,
    cleanup: Omit<GmailCleanup, 'id'>,
    sessions: readonly SessionKey[],
  ): Promise<void>;
  /** Those of which every session has ended. */
  listDueCleanups(accountId: number, limit: number): Promise<readonly GmailCleanup[]>;
  finishCleanup(lease: Lease, id: number): Promise<boolean>;
}
