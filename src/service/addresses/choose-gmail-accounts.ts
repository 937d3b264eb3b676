// Chooses the Gmail accounts that an alias may be created on, in order of preference. Used by create-gmail-alias, and by
// list-domains for display.

import { type AliasBase, parseAliasBase } from '#gmail-aliases/alias';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { GmailAccount, GmailStore } from '../../store/gmail-store.ts';

export interface GmailChoice {
  /** Untrusted. */
  readonly gmailId?: number | undefined;
  readonly gmailAuto?: boolean | undefined;
  readonly domainId?: number | undefined;
  /** The parameter that restricts the choice to gmail.com, if any. */
  readonly gmailOnly?: 'alias' | 'googlemail' | undefined;
}

export interface AvailableAccount {
  readonly account: GmailAccount;
  readonly base: AliasBase;
}

const retrySeconds = 60;

/** Reports whether the account receives mail: it is active, and its last poll succeeded. */
export function isAvailable({ isActive, health }: GmailAccount): boolean {
  return isActive && health === 'healthy';
}

/**
 * Returns at least one account. A requested account is the only one; otherwise the one with the fewest live sessions
 * comes first, then the one with the fewest bytes fetched today.
 * @throws MayflyError unknown_gmail_account, no_gmail_account_available, invalid_parameter
 */
export async function chooseGmailAccounts(
  gmail: GmailStore,
  { gmailId, gmailAuto, domainId, gmailOnly }: GmailChoice,
): Promise<AvailableAccount[]> {
  const available = (await gmail.listAccounts()).filter(isAvailable).flatMap(toAvailable);
  const chosen = find(available, gmailId ?? (gmailAuto ? undefined : domainId));
  if (gmailId !== undefined && !chosen) {
    throw new MayflyError('unknown_gmail_account', 'No active Gmail account has this id.', {
      parameter: 'gmail_id',
    });
  }
  if (chosen && gmailOnly && !chosen.base.isGmail) throw notAtGmail(gmailOnly);
  const fit = chosen ? [chosen] : available.filter(({ base }) => base.isGmail || !gmailOnly);
  if (fit.length === 0) throw noGmailAccount();
  return fit.sort((one, other) => compareLoad(one.account, other.account));
}

export function noGmailAccount(): MayflyError {
  return new MayflyError(
    'no_gmail_account_available',
    'No Gmail account can provide an alias at the moment.',
    {
      retryAfterSeconds: retrySeconds,
    },
  );
}

function toAvailable(account: GmailAccount): AvailableAccount[] {
  const base = parseAliasBase(account.email);
  return base ? [{ account, base }] : [];
}

function find(accounts: readonly AvailableAccount[], id: number | undefined): AvailableAccount | undefined {
  return id === undefined ? undefined : accounts.find(({ account }) => account.id === id);
}

function compareLoad(one: GmailAccount, other: GmailAccount): number {
  return one.liveSessions - other.liveSessions || one.bytesToday - other.bytesToday || one.id - other.id;
}

function notAtGmail(parameter: string): MayflyError {
  return new MayflyError('invalid_parameter', 'This account is not at gmail.com: it has only plus aliases.', {
    parameter,
  });
}
