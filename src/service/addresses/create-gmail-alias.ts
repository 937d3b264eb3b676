// Creates a session on an alias of one of the operator's Gmail accounts: a dot variant or a plus alias. Called by
// create-session.

import { randomBytes } from 'node:crypto';

import { type AliasBase, aliasDomain, toAliasKey, toPlusAlias } from '#gmail-aliases/alias';
import { countDotNumbers, countDotVariants, toDotVariant } from '#gmail-aliases/dot-variant';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { randomLocalPart } from '../../domain/addresses/prefix.ts';
import type { GmailStore } from '../../store/gmail-store.ts';
import type { MailStore } from '../../store/mail-store.ts';
import {
  type AvailableAccount,
  chooseGmailAccounts,
  type GmailChoice,
  noGmailAccount,
} from './choose-gmail-accounts.ts';
import { claimAddress, type CreatedSession } from './claim-address.ts';
import type { SessionLimits } from '../session/session-limits.ts';

export interface GmailAliasRequest extends GmailChoice {
  readonly alias?: 'dot' | 'plus' | undefined;
  readonly isGooglemail?: boolean | undefined;
}

export interface GmailAliasDeps {
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

/** Random tags collide once in 2^54; several in a row are a bug. */
const plusTries = 5;
/** Numbers tried for one dot variant: all of them for an account of seven letters. */
const dotTries = 64;
/** Below this free share, dot variants are kept for callers that request one. */
const lowShare = 1 / 4;

/**
 * @throws MayflyError unknown_gmail_account, no_gmail_account_available, address_taken, invalid_prefix,
 * conflicting_parameters, invalid_parameter
 */
export async function createGmailAlias(
  deps: GmailAliasDeps,
  request: GmailAliasRequest,
  wanted: Wanted,
): Promise<CreatedSession> {
  const { alias, isGooglemail = false } = request;
  if (wanted.prefix !== undefined && alias === 'dot') {
    throw new MayflyError(
      'conflicting_parameters',
      'A prefix makes a plus alias; `alias=dot` accepts none.',
      {
        parameter: 'alias',
      },
    );
  }
  const gmailOnly = alias === 'dot' ? 'alias' : isGooglemail ? 'googlemail' : undefined;
  const accounts = await chooseGmailAccounts(deps.gmail, { ...request, gmailOnly });
  const creator = new AliasCreator(deps, wanted.lifetimeMs, isGooglemail);
  if (wanted.prefix !== undefined) return createPrefixed(creator, accounts, wanted.prefix);
  for (const one of accounts) {
    const created =
      (alias === 'plus' ? undefined : await creator.createDot(one, alias === 'dot')) ??
      (alias === 'dot' ? undefined : await creator.createRandomTag(one));
    if (created) return created;
  }
  throw noGmailAccount();
}

async function createPrefixed(
  creator: AliasCreator,
  accounts: readonly AvailableAccount[],
  prefix: string,
): Promise<CreatedSession> {
  let isTaken = false;
  for (const one of accounts) {
    const created = await creator.createTagged(one, prefix);
    if (created === 'taken') isTaken = true;
    else if (created !== 'too-long') return created;
  }
  throw isTaken
    ? new MayflyError(
        'address_taken',
        'This alias is in use or in quarantine after use; choose another prefix.',
        {
          parameter: 'prefix',
        },
      )
    : new MayflyError('invalid_prefix', 'The alias would be longer than 64 characters before the @.', {
        parameter: 'prefix',
      });
}

class AliasCreator {
  readonly #deps: GmailAliasDeps;
  readonly #lifetimeMs: number;
  readonly #isGooglemail: boolean;

  constructor(deps: GmailAliasDeps, lifetimeMs: number, isGooglemail: boolean) {
    this.#deps = deps;
    this.#lifetimeMs = lifetimeMs;
    this.#isGooglemail = isGooglemail;
  }

  async createTagged(
    { account, base }: AvailableAccount,
    tag: string,
  ): Promise<CreatedSession | 'taken' | 'too-long'> {
    const address = toPlusAlias(base, tag, { isGooglemail: this.#isGooglemail });
    if (address === undefined) return 'too-long';
    return (await this.#claim(account.id, address)) ?? 'taken';
  }

  async createRandomTag(one: AvailableAccount): Promise<CreatedSession> {
    for (let attempt = 0; attempt < plusTries; attempt++) {
      const created = await this.createTagged(one, randomLocalPart(randomBytes));
      if (typeof created !== 'string') return created;
    }
    throw new Error('Every random alias was taken.');
  }

  /** Resolves with undefined when the account's dot variants are used up, or are running low and were not requested. */
  async createDot(
    { account, base }: AvailableAccount,
    isRequested: boolean,
  ): Promise<CreatedSession | undefined> {
    const { gmail, dotVariantKey } = this.#deps;
    const capacity = countDotVariants(base);
    const free = capacity - (await gmail.countHeldDotVariants(account.id));
    if (free <= 0 || (!isRequested && free < capacity * lowShare)) return undefined;
    const key = dotVariantKey(account.email);
    const tries = Math.min(dotTries, countDotNumbers(base));
    for (let attempt = 0; attempt < tries; attempt++) {
      const localPart = toDotVariant(base, key, await gmail.takeAliasNumber(account.id));
      const created = localPart && (await this.#claim(account.id, this.#toAddress(base, localPart)));
      if (created) return created;
    }
    return undefined;
  }

  #toAddress(base: AliasBase, localPart: string): string {
    return `${localPart}@${aliasDomain(base, this.#isGooglemail)}`;
  }

  #claim(accountId: number, address: string): Promise<CreatedSession | undefined> {
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
