// Polls one account under one lease: its inbox, and its spam folder after the first check of the inbox.

import type { Semaphore } from '#networks/semaphore';
import type { MailCredentials } from '#imap-reader/credentials';
import { createLogins } from '#imap-reader/log-in';
import { parseAliasBase } from '#gmail-aliases/alias';
import type { GmailAccount } from '../store/gmail-store.ts';
import type { Lease } from '../store/lease-store.ts';
import { createAccountHealth } from './account-health.ts';
import type { GmailPollersOptions, GmailTimes } from './gmail-pollers-options.ts';
import { pollFolder } from './poll-folder.ts';

export interface AccountPoller {
  /** Closes the connections at once. */
  stop(): void;
  isStopped(): boolean;
  /** Resolves when nothing runs any more; never rejects. */
  readonly done: Promise<void>;
}

export interface AccountPollerOptions {
  readonly account: GmailAccount;
  readonly lease: Lease;
  readonly parts: GmailPollersOptions;
  readonly times: GmailTimes;
  readonly bodies: Semaphore;
}

export function startAccountPoller(options: AccountPollerOptions): AccountPoller {
  const ended = new AbortController();
  const stop = (): void => {
    ended.abort();
  };
  const { log } = options.parts;
  const done = poll(options, { signal: ended.signal, stop })
    .catch((error: unknown) => {
      // The store failed: polling restarts when the lease is next renewed.
      log.error('gmail.poller_ended', { account: options.account.id, error });
    })
    .finally(stop);
  return { stop, isStopped: () => ended.signal.aborted, done };
}

async function poll(
  { account, lease, parts, times, bodies }: AccountPollerOptions,
  end: { readonly signal: AbortSignal; readonly stop: () => void },
): Promise<void> {
  const base = parseAliasBase(account.email);
  const credentials = openCredentials(parts, account);
  if (!base || !credentials) {
    const detail = 'The credentials cannot be opened: add the account again.';
    await parts.store.keepHealth(lease, account.id, { health: 'refused', detail });
    return;
  }
  const { fetch, certificateAuthorities } = parts;
  const { exchangeMs } = times;
  const logins = createLogins({ account, credentials, fetch, exchangeMs, certificateAuthorities });
  const context = { account, base, lease, logins, parts, times, bodies, ...end };
  const health = createAccountHealth(context);
  const stopped = new Promise<void>((resolve) => {
    end.signal.addEventListener('abort', () => {
      resolve();
    });
  });
  // Log in on one connection first, so that a wrong password is tried once and not twice.
  const spam = Promise.race([health.ready, stopped]).then(() =>
    pollFolder({ context, role: 'spam', health }),
  );
  const inbox = pollFolder({ context, role: 'inbox', health });
  try {
    await Promise.all([inbox, spam]);
  } finally {
    end.stop();
    await Promise.allSettled([inbox, spam]);
  }
}

function openCredentials(
  { openCredentials, log }: GmailPollersOptions,
  account: GmailAccount,
): MailCredentials | undefined {
  try {
    return openCredentials(account);
  } catch (error) {
    log.error('gmail.credentials_do_not_open', { account: account.id, error });
    return undefined;
  }
}
