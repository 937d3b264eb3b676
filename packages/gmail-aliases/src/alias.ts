// Spellings of addresses that reach one account. Gmail ignores dots, letter case, everything from `+` on, and the
// difference between gmail.com and googlemail.com; other servers are assumed to ignore only case and the plus tag.
// Giving out and finding again must agree exactly.

import { type Address, ownDomainMaxOctets, parseMailbox } from '../../mail-receiver/src/address.ts';

/** RFC 5321 §4.5.3.1.1. */
const localPartMaxOctets = 64;
/** Room for a random plus tag, including its `+` (randomLocalPart). */
const tagOctets = 12;

/** An account's own address, from which aliases are made. */
export interface AliasBase {
  /** In the account's own spelling and lower case, without a plus tag. */
  readonly localPart: string;
  /** As the account writes it. */
  readonly domain: string;
  /** Whether its server ignores dots and treats both domains alike. */
  readonly isGmail: boolean;
}

export function isGmailDomain(domain: string): boolean {
  return domain === 'gmail.com' || domain === 'googlemail.com';
}

/** Returns undefined for an address that cannot have aliases, because it has a tag, is quoted or is too long. */
export function parseAliasBase(email: string): AliasBase | undefined {
  const address = parseMailbox(email);
  if (!address || email.includes('"') || !/^[^@+[]+@[^[]+$/.test(email)) return undefined;
  const localPart = address.localPart.toLowerCase();
  const { domain } = address;
  const isTooLong = localPart.length > localPartMaxOctets - tagOctets || domain.length > ownDomainMaxOctets;
  return isTooLong ? undefined : { localPart, domain, isGmail: isGmailDomain(domain) };
}

/**
 * Returns the form by which an alias is unique and looked up: as given out, in lower case, with googlemail.com as
 * gmail.com.
 */
export function toAliasKey({ localPart, domain }: Address): string {
  const host = domain.toLowerCase();
  return `${foldCase(localPart)}@${host === 'googlemail.com' ? 'gmail.com' : host}`;
}

/** Reports whether the address, in any spelling, reaches the account. */
export function reachesAccount(base: AliasBase, address: Address): boolean {
  return toMailbox(address) === toMailbox(base);
}

/**
 * Reports whether it is the account's own spelling, or the one without dots: these belong to the operator and are never
 * given out.
 */
export function isOwnSpelling(base: AliasBase, address: Address): boolean {
  const localPart = foldCase(address.localPart);
  const isOwn = localPart === base.localPart || (base.isGmail && localPart === withoutDots(base.localPart));
  return isOwn && reachesAccount(base, address);
}

/** Returns undefined when the tag does not fit. `isGooglemail` applies to Gmail accounts only. */
export function toPlusAlias(
  base: AliasBase,
  tag: string,
  { isGooglemail = false }: { readonly isGooglemail?: boolean } = {},
): string | undefined {
  const localPart = `${base.localPart}+${tag}`;
  if (localPart.length > localPartMaxOctets) return undefined;
  return `${localPart}@${aliasDomain(base, isGooglemail)}`;
}

/**
 * A Gmail account's aliases are given out under gmail.com, whichever domain it uses itself, unless the caller asks
 * otherwise.
 */
export function aliasDomain({ domain, isGmail }: AliasBase, isGooglemail: boolean): string {
  if (!isGmail) return domain;
  return isGooglemail ? 'googlemail.com' : 'gmail.com';
}

export function withoutDots(localPart: string): string {
  return localPart.replaceAll('.', '');
}

/** Returns the spelling that stands for all those of one account. */
function toMailbox({ localPart, domain }: Address): string {
  const host = domain.toLowerCase();
  const untagged = foldCase(localPart).split('+', 1)[0] ?? '';
  return isGmailDomain(host) ? `${withoutDots(untagged)}@gmail.com` : `${untagged}@${host}`;
}

/** ASCII only: some other letters have an ASCII lower case and still belong to another address. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
