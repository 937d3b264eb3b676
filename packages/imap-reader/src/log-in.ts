// Opens logged-in connections to one account with the credentials that it has. Created anew whenever the operator
// changes the account.

import type { MailCredentials } from './credentials.ts';
import { createAccessTokens, type TokenFetch } from './access-tokens.ts';
import { classifyFailure, type Failure } from './classify-failure.ts';
import { type ImapAccount, type ImapConnection, openConnection } from './imap-connection.ts';

export interface LogInOptions {
  readonly account: ImapAccount;
  readonly credentials: MailCredentials;
  readonly fetch: TokenFetch;
  readonly exchangeMs: number;
  readonly certificateAuthorities?: string | undefined;
}

export interface Logins {
  /** The signal closes the connection. */
  open(signal?: AbortSignal): Promise<ImapConnection>;
  /** Like classifyFailure, with this account's secrets removed. */
  classify(error: unknown): Failure;
}

export function createLogins(options: LogInOptions): Logins {
  const { account, credentials, exchangeMs, certificateAuthorities } = options;
  const { user } = account;
  const shared = { account, exchangeMs, certificateAuthorities };
  if (credentials.kind === 'password') {
    const { password } = credentials;
    return {
      open: (signal) => openConnection({ ...shared, login: { user, pass: password } }, signal),
      classify: (error) => classifyFailure(error, [password]),
    };
  }
  const tokens = createAccessTokens(options.fetch, credentials);
  const classify = (error: unknown): Failure =>
    classifyFailure(error, [credentials.refreshToken, credentials.clientSecret]);
  const openOnce = async (signal?: AbortSignal): Promise<ImapConnection> =>
    openConnection({ ...shared, login: { user, accessToken: await tokens.get() } }, signal);
  return {
    open: async (signal) => {
      try {
        return await openOnce(signal);
      } catch (error) {
        if ((error as { authenticationFailed?: unknown }).authenticationFailed !== true) throw error;
        // A token may be revoked early, so try once with a new one.
        tokens.forget();
        return openOnce(signal);
      }
    },
    classify,
  };
}
