// What the pollers are handed by app.ts, and the settings and times they work with.

import type { SafeFetch } from '../net/safe-fetch.ts';
import type { Logger } from '../observe/logger.ts';
import type { MailCredentials } from '../secrets/mail-credentials.ts';
import type { Traces } from '../observe/traces.ts';
import type { Receiving } from '../service/services.ts';
import type { GmailAccount, GmailStore } from '../store/gmail-store.ts';
import type { LeaseStore } from '../store/lease-store.ts';

/** What becomes of a message in the account once it was delivered; `trash`: when its sessions have ended. */
export type AfterDelivery = 'leave' | 'seen' | 'trash';

export interface GmailPollerSettings {
  /** Between two looks into the spam folder. */
  readonly spamCheckMs: number;
  /** Largest message that is fetched. */
  readonly messageMaxBytes: number;
  /** Bytes fetched from one account on one UTC day; 0: no bound. */
  readonly dayMaxBytes: number;
  readonly afterDelivery: AfterDelivery;
  /** No live session is older: nothing that arrived before is looked at. */
  readonly sessionMaxMs: number;
}

export type GmailReceiver = Pick<
  Receiving,
  'findAliasSession' | 'receiveGmailMessage' | 'refuseLargeGmailMessage' | 'refuseBlockedGmailSender'
>;

export interface GmailPollersOptions {
  readonly store: GmailStore;
  readonly leases: LeaseStore;
  /** This process among those that share the store: unique, never used again. */
  readonly holder: string;
  /** @throws Error when the account's credentials do not open */
  readonly openCredentials: (account: GmailAccount) => MailCredentials;
  readonly receiver: GmailReceiver;
  /** Absent while traces are off. */
  readonly traces?: Traces | undefined;
  /** To the token URLs of accounts with OAuth 2. */
  readonly fetch: SafeFetch;
  readonly settings: GmailPollerSettings;
  readonly log: Logger;
  /** In place of the usual ones, for tests. */
  readonly times?: Partial<GmailTimes>;
  /** Certificate authorities in PEM, in place of the usual ones. */
  readonly certificateAuthorities?: string | undefined;
}

/** All in ms. */
export interface GmailTimes {
  /** Between two readings of the list of accounts; also how often a lease is renewed. */
  readonly listMs: number;
  /** A node that died is followed by another after this and at most `listMs`: 15 s, as with every lease. */
  readonly leaseMs: number;
  /** Between two NOOPs, each of which ends an IDLE and starts a new one; RFC 2177 allows 29 minutes. */
  readonly watchdogMs: number;
  /** Between two looks at a folder of a server without IDLE. */
  readonly noIdleMs: number;
  /** For one exchange with the server, logging in included. */
  readonly exchangeMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** First wait after a server said that it is asked too much. */
  readonly throttledMs: number;
  /** Between two looks for messages whose sessions have ended. */
  readonly cleanupMs: number;
}

export const defaultTimes: GmailTimes = {
  listMs: 3000,
  leaseMs: 12_000,
  watchdogMs: 120_000,
  noIdleMs: 15_000,
  exchangeMs: 30_000,
  backoffMinMs: 1000,
  backoffMaxMs: 900_000,
  throttledMs: 300_000,
  cleanupMs: 30_000,
};
