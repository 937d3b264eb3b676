// The state common to all work for one account under one lease, and its end.

import type { Semaphore } from '#networks/semaphore';
import type { Logins } from '#imap-reader/log-in';
import type { AliasBase } from '#gmail-aliases/alias';
import type { GmailAccount } from '../store/gmail-store.ts';
import type { Lease } from '../store/lease-store.ts';
import type { GmailPollersOptions, GmailTimes } from './gmail-pollers-options.ts';

export interface PollContext {
  /** As of when polling began; its counts are out of date. */
  readonly account: GmailAccount;
  readonly base: AliasBase;
  readonly lease: Lease;
  readonly logins: Logins;
  readonly parts: GmailPollersOptions;
  readonly times: GmailTimes;
  /** Limits the bodies fetched at once over all accounts, since each is held in memory. */
  readonly bodies: Semaphore;
  /** When aborted, nothing new is started and connections close. */
  readonly signal: AbortSignal;
  /** Ends the polling of both folders of the account. */
  readonly stop: () => void;
}

/** The inbox decides the account's health; if the spam folder is unreadable, only its mail is lost. */
export type FolderRole = 'inbox' | 'spam';

/** Reads the account's current state; undefined once it is removed. */
export async function readAccount({ account, parts }: PollContext): Promise<GmailAccount | undefined> {
  const accounts = await parts.store.listAccounts();
  return accounts.find(({ id }) => id === account.id);
}
