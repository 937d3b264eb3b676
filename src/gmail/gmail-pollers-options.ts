// The options of the pollers from app.ts, with their settings and intervals.

import type { SafeFetch } from '#networks/safe-fetch';
import type { Logger } from '#telemetry/logger';
import type { Traces } from '#telemetry/traces';
import type { MailCredentials } from '#imap-reader/credentials';
import type { Receiving } from '../service/services.ts';
import type { GmailAccount, GmailStore } from '../store/gmail-store.ts';
import type { LeaseStore } from '../store/lease-store.ts';

/** The action on a message in the account after its delivery; `trash` applies once its sessions have ended. */
export type AfterDelivery = 'leave' | 'seen' | 'trash';

export interface GmailPollerSettings {
  /** The interval between checks of the spam folder. */
  readonly spamCheckMs: number;
  /** The largest message that is fetched. */
  readonly messageMaxBytes: number;
  /** Bytes fetched from one account per UTC day; 0 for no limit. */
  readonly dayMaxBytes: number;
  readonly afterDelivery: AfterDelivery;
}

export type GmailReceiver = Pick<
  Receiving,
  'findAliasSession' | 'receiveGmailMessage' | 'refuseLargeGmailMessage' | 'refuseBlockedGmailSender'
>;

export interface GmailPollersOptions {
  readonly store: GmailStore;
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
  readonly leases: LeaseStore;
  /** Identifies this process among those that share the store; never reused. */
  readonly holder: string;
  /** @throws Error when the account's credentials cannot be decrypted */
  readonly openCredentials: (account: GmailAccount) => MailCredentials;
  readonly receiver: GmailReceiver;
  /** Absent while traces are off. */
  readonly traces: Traces | undefined;
  /** Used for the token URLs of accounts with OAuth 2. */
  readonly fetch: SafeFetch;
  readonly settings: GmailPollerSettings;
  readonly log: Logger;
  /** Overrides the defaults in tests. */
  readonly times?: Partial<GmailTimes>;
  /** Certificate authorities in PEM, in place of the usual ones. */
  readonly certificateAuthorities: string | undefined;
}

/** All in ms. */
export interface GmailTimes {
  /** How often the list of accounts is read, and leases renewed. */
  readonly listMs: number;
  /**
   * How long another node waits before it takes over from a dead one, plus at most `listMs`: 15 s, as for every lease.
   */
  readonly leaseMs: number;
  /** The interval of NOOPs, each of which restarts IDLE; RFC 2177 allows 29 minutes. */
  readonly watchdogMs: number;
  /** How often a folder is checked on a server without IDLE. */
  readonly noIdleMs: number;
  /** The time limit for one exchange with the server, including the login. */
  readonly exchangeMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** The first wait after the server throttled us. */
  readonly throttledMs: number;
  /** How often messages of ended sessions are looked for. */
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
