// What everything that runs for one account under one lease shares, and how it ends.

import type { AliasBase } from '../domain/alias.ts';
import type { Turnstile } from '../service/turnstile.ts';
import type { GmailAccount } from '../store/gmail-store.ts';
import type { Lease } from '../store/lease-store.ts';
import type { GmailPollersOptions, GmailTimes } from './gmail-pollers-options.ts';
import type { Logins } from './log-in.ts';

export interface PollContext {
  /** As it was when polling began: counts in it are old. */
  readonly account: GmailAccount;
  readonly base: AliasBase;
  readonly lease: Lease;
  readonly logins: Logins;
  readonly parts: GmailPollersOptions;
  readonly times: GmailTimes;
  /** Through which bodies are fetched, a few at once over all accounts: each is held in memory. */
  readonly bodies: Turnstile;
  /** Aborted: nothing more is begun, and connections close. */
  readonly signal: AbortSignal;
  /** Ends the polling of the account, both folders of it. */
  readonly stop: () => void;
}

/** The inbox decides the account's health; a spam folder that cannot be looked at costs only what is in it. */
export type FolderRole = 'inbox' | 'spam';

/** The account as the store has it now; undefined once it is removed. */
export async function readAccount({ account, parts }: PollContext): Promise<GmailAccount | undefined> {
  const accounts = await parts.store.listAccounts();
  return accounts.find(({ id }) => id === account.id);
}
