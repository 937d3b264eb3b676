// Lends an alias of one of the operator's Gmail accounts: a dot variant or a plus alias. Called by create-session.

import { randomBytes } from 'node:crypto';

import { type AliasBase, lentDomain, toAliasKey, toPlusAlias } from '../domain/alias.ts';
import { countDotNumbers, countDotVariants, toDotVariant } from '../domain/dot-variant.ts';
import { MayflyError } from '../domain/mayfly-error.ts';
import { randomLocalPart } from '../domain/prefix.ts';
import type { GmailStore } from '../store/gmail-store.ts';
import type { MailStore } from '../store/mail-store.ts';
import {
  chooseGmailAccounts,
  type GmailChoice,
  type LendableAccount,
  noGmailAccount,
} from './choose-gmail-accounts.ts';
import { claimAddress, type LentSession } from './claim-address.ts';
import type { SessionLimits } from './session-limits.ts';

export interface GmailAliasRequest extends GmailChoice {
  readonly alias?: 'dot' | 'plus' | undefined;
  readonly isGooglemail?: boolean | undefined;
}

export interface LendGmailAliasDeps {
  readonly mail: MailStore;
  readonly gmail: GmailStore;
  readonly limits: SessionLimits;
  /** Returns the constant secret of the account with this email, which orders its dot variants. */
  readonly dotVariantKey: (email: string) => Uint8Array;
}

/** Validated by create-session. */
interface Wanted {
  readonly prefix: string | undefined;
  readonly lifetimeMs: number;
}

/** Random tags collide once in 2^54; several in a row are a fault. */
const plusTries = 5;
/** Numbers tried for one dot variant: all of them for an account of seven letters. */
const dotTries = 64;
/** Below this free share, dot variants are kept for callers who ask for one. */
const lowShare = 1 / 4;

/**
 * @throws MayflyError unknown_gmail_account, no_gmail_account_available, address_taken, invalid_prefix,
 * conflicting_parameters, invalid_parameter
 */
export async function lendGmailAlias(
  deps: LendGmailAliasDeps,
  request: GmailAliasRequest,
  wanted: Wanted,
): Promise<LentSession> {
  const { alias, isGooglemail = false } = request;
  if (wanted.prefix !== undefined && alias === 'dot') {
    throw new MayflyError('conflicting_parameters', 'A prefix makes a plus alias; `alias=dot` takes none.', {
      parameter: 'alias',
    });
  }
  const gmailOnly = alias === 'dot' ? 'alias' : isGooglemail ? 'googlemail' : undefined;
  const accounts = await chooseGmailAccounts(deps.gmail, { ...request, gmailOnly });
  const lender = new Lender(deps, wanted.lifetimeMs, isGooglemail);
  if (wanted.prefix !== undefined) return lendPrefix(lender, accounts, wanted.prefix);
  for (const one of accounts) {
    const lent =
      (alias === 'plus' ? undefined : await lender.lendDot(one, alias === 'dot')) ??
      (alias === 'dot' ? undefined : await lender.lendRandomTag(one));
    if (lent) return lent;
  }
  throw noGmailAccount();
}

async function lendPrefix(
  lender: Lender,
  accounts: readonly LendableAccount[],
  prefix: string,
): Promise<LentSession> {
  let isTaken = false;
  for (const one of accounts) {
    const lent = await lender.lendTag(one, prefix);
    if (lent === 'taken') isTaken = true;
    else if (lent !== 'too-long') return lent;
  }
  throw isTaken
    ? new MayflyError('address_taken', 'This alias is in use or rests after use; choose another prefix.', {
        parameter: 'prefix',
      })
    : new MayflyError('invalid_prefix', 'The alias would be longer than 64 characters before the @.', {
        parameter: 'prefix',
      });
}

class Lender {
  readonly #deps: LendGmailAliasDeps;
  readonly #lifetimeMs: number;
  readonly #isGooglemail: boolean;

  constructor(deps: LendGmailAliasDeps, lifetimeMs: number, isGooglemail: boolean) {
    this.#deps = deps;
    this.#lifetimeMs = lifetimeMs;
    this.#isGooglemail = isGooglemail;
  }

  async lendTag(
    { account, base }: LendableAccount,
    tag: string,
  ): Promise<LentSession | 'taken' | 'too-long'> {
    const address = toPlusAlias(base, tag, { isGooglemail: this.#isGooglemail });
    if (address === undefined) return 'too-long';
    return (await this.#claim(account.id, address)) ?? 'taken';
  }

  async lendRandomTag(one: LendableAccount): Promise<LentSession> {
    for (let attempt = 0; attempt < plusTries; attempt++) {
      const lent = await this.lendTag(one, randomLocalPart(randomBytes));
      if (typeof lent !== 'string') return lent;
    }
    throw new Error('Every random alias was taken.');
  }

  /** Resolves with undefined when its dot variants are used up, or run low and were not requested. */
  async lendDot({ account, base }: LendableAccount, isAskedFor: boolean): Promise<LentSession | undefined> {
    const { gmail, dotVariantKey } = this.#deps;
    const capacity = countDotVariants(base);
    const free = capacity - (await gmail.countHeldDotVariants(account.id));
    if (free <= 0 || (!isAskedFor && free < capacity * lowShare)) return undefined;
    const key = dotVariantKey(account.email);
    const tries = Math.min(dotTries, countDotNumbers(base));
    for (let attempt = 0; attempt < tries; attempt++) {
      const localPart = toDotVariant(base, key, await gmail.takeAliasNumber(account.id));
      const lent = localPart && (await this.#claim(account.id, this.#toAddress(base, localPart)));
      if (lent) return lent;
    }
    return undefined;
  }

  #toAddress(base: AliasBase, localPart: string): string {
    return `${localPart}@${lentDomain(base, this.#isGooglemail)}`;
  }

  #claim(accountId: number, address: string): Promise<LentSession | undefined> {
    const at = address.lastIndexOf('@');
    return claimAddress(this.#deps, {
      address,
      addressKey: toAliasKey({ localPart: address.slice(0, at), domain: address.slice(at + 1) }),
      lifetimeMs: this.#lifetimeMs,
      quarantineMs: this.#deps.limits.quarantineSeconds * 1000,
      accountId,
    });
  }
}
