// Spellings of addresses that reach one account. Gmail ignores dots and letter case, everything from `+` on, and which
// of gmail.com and googlemail.com is written; other servers are taken to ignore case and the plus tag alone. Used by
// create-session and by the poller, which must agree to the letter.

import { type Address, lendableDomainMaxOctets, parseMailbox } from './address.ts';

/** RFC 5321 §4.5.3.1.1. */
const localPartMaxOctets = 64;
/** Room that a random plus tag needs, its `+` included (randomLocalPart). */
const tagOctets = 12;

/** An account's own address, from which aliases are made. */
export interface AliasBase {
  /** In the account's own spelling, lower case; without a plus tag. */
  readonly localPart: string;
  /** As the account writes it. */
  readonly domain: string;
  /** Dots and the two domains mean nothing to its server. */
  readonly isGmail: boolean;
}

export function isGmailDomain(domain: string): boolean {
  return domain === 'gmail.com' || domain === 'googlemail.com';
}

/** Undefined for what is no address, or one that no alias can be made of: with a tag, quoted, too long. */
export function parseAliasBase(email: string): AliasBase | undefined {
  const address = parseMailbox(email);
  if (!address || email.includes('"') || !/^[^@+[]+@[^[]+$/.test(email)) return undefined;
  const localPart = address.localPart.toLowerCase();
  const { domain } = address;
  const isTooLong =
    localPart.length > localPartMaxOctets - tagOctets || domain.length > lendableDomainMaxOctets;
  return isTooLong ? undefined : { localPart, domain, isGmail: isGmailDomain(domain) };
}

/** The form under which an alias is unique and looked up: as lent, in lower case, googlemail.com read as gmail.com. */
export function toAliasKey({ localPart, domain }: Address): string {
  const host = domain.toLowerCase();
  return `${foldCase(localPart)}@${host === 'googlemail.com' ? 'gmail.com' : host}`;
}

/** Whether the address, in whatever spelling, reaches the account. */
export function reachesAccount(base: AliasBase, address: Address): boolean {
  return toMailbox(address) === toMailbox(base);
}

/** Whether it is the account's own spelling, or the one without dots: never lent, the operator's own mail. */
export function isOwnSpelling(base: AliasBase, address: Address): boolean {
  const localPart = foldCase(address.localPart);
  const isOwn = localPart === base.localPart || (base.isGmail && localPart === withoutDots(base.localPart));
  return isOwn && reachesAccount(base, address);
}

/** Undefined when the tag does not fit. `isGooglemail` holds for Gmail accounts alone. */
export function toPlusAlias(
  base: AliasBase,
  tag: string,
  { isGooglemail = false }: { readonly isGooglemail?: boolean } = {},
): string | undefined {
  const localPart = `${base.localPart}+${tag}`;
  if (localPart.length > localPartMaxOctets) return undefined;
  return `${localPart}@${lentDomain(base, isGooglemail)}`;
}

/** A Gmail account's aliases are lent under gmail.com, whichever of the two it writes itself, unless asked for. */
export function lentDomain({ domain, isGmail }: AliasBase, isGooglemail: boolean): string {
  if (!isGmail) return domain;
  return isGooglemail ? 'googlemail.com' : 'gmail.com';
}

export function withoutDots(localPart: string): string {
  return localPart.replaceAll('.', '');
}

/** The one spelling that all of an account's have in common. */
function toMailbox({ localPart, domain }: Address): string {
  const host = domain.toLowerCase();
  const untagged = foldCase(localPart).split('+', 1)[0] ?? '';
  return isGmailDomain(host) ? `${withoutDots(untagged)}@gmail.com` : `${untagged}@${host}`;
}

/** ASCII alone: some other letters have an ASCII letter for their lower case, and are another address. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
