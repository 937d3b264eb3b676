// Tries an account: connects, logs in, and tells the operator what was found. Run by `mayfly gmail test` through app.ts.

import type { SafeFetch } from '../net/safe-fetch.ts';
import type { MailCredentials } from '../secrets/mail-credentials.ts';
import type { GmailAccountSettings } from '../store/gmail-store.ts';

export interface TestAccountOptions {
  readonly account: Omit<GmailAccountSettings, 'sealedCredentials'>;
  readonly credentials: MailCredentials;
  /** To the token URL of an account with OAuth 2. */
  readonly fetch: SafeFetch;
  /** Certificate authorities in PEM, in place of the usual ones. */
  readonly certificateAuthorities?: string | undefined;
}

export interface AccountReport {
  readonly isWell: boolean;
  /** For the operator; no secrets. */
  readonly lines: readonly string[];
}

/** Never rejects: what went wrong is in the lines. */
export declare function testAccount(options: TestAccountOptions): Promise<AccountReport>;
