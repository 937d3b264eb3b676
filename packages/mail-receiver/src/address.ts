// Addresses as SMTP and the directory use them. They are parsed once at the edge; code below it trusts an Address to
// be well formed. Addresses in message headers are for display and never pass through here.

import { isIPv4, isIPv6 } from 'node:net';

/** Octets of a local part and of a domain (RFC 5321 §4.5.3.1.1, §4.5.3.1.2). */
const localPartMaxOctets = 64;
const domainMaxOctets = 255;
/** A path with its brackets is at most 256 octets (RFC 5321 §4.5.3.1.3). */
const pathMaxOctets = 254;
/** The longest domain of ours: any local part and the `@` must fit into a path with it. */
export const ownDomainMaxOctets = pathMaxOctets - 1 - localPartMaxOctets;

export interface Address {
  /** As the sender spelled it, quotes removed. */
  readonly localPart: string;
  /** Lower case ASCII. */
  readonly domain: string;
}

/**
 * Returns the form by which an address is unique and looked up, with ASCII letters in lower case. Other letters are
 * unchanged, because some (U+212A, the Kelvin sign) have an ASCII lower case and still belong to another address.
 */
export function toAddressKey(address: Address): string {
  return `${foldCase(address.localPart)}@${address.domain}`;
}

function foldCase(text: string): string {
  if (!/[A-Z]/.test(text)) return text;
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const dotAtomUtf8 =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10FFFF}-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10FFFF}-]+)*$/u;
/** As the two above, with dots anywhere: real senders use such addresses, and Postfix accepts them. */
const looseAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
const looseAtomUtf8 = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\u{10FFFF}-]+$/u;
/** Labels of at most 63 characters, separated by dots. */
const domainName = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const digitAtEnd = /[0-9]$/;
const nonAscii = /[^\x00-\x7f]/;
/** Nearly every address; as many octets as characters. */
const plain = /^[\x20-\x7e]*$/;
/** Invalid even where UTF-8 is allowed: control characters, other line ends, lone surrogates. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/**
 * Parses a host name that can have addresses: letters, digits, hyphens and underscores in labels of at most 63, at most
 * 255 octets. Returns it in lower case, or undefined when it is invalid. IP literals are not domains.
 */
export function parseDomainName(text: string): string | undefined {
  if (text.length > domainMaxOctets + 1) return undefined;
  const folded = foldCase(text);
  const lower = folded.endsWith('.') ? folded.slice(0, -1) : folded;
  if (lower.length > domainMaxOctets || !domainName.test(lower)) return undefined;
  return digitAtEnd.test(lower) && isIPv4(lower) ? undefined : lower;
}

/** The rules for a mailbox. */
interface Grammar {
  readonly ascii: RegExp;
  /** RFC 6531. */
  readonly utf8: RegExp;
  /** Whether the domain may end with a dot, as in the DNS. */
  readonly hasFinalDot: boolean;
}

const ofMailboxes: Grammar = { ascii: dotAtom, utf8: dotAtomUtf8, hasFinalDot: true };
const ofSenders: Grammar = { ascii: looseAtom, utf8: looseAtomUtf8, hasFinalDot: false };

/**
 * Parses the mailbox of an SMTP path without brackets (RFC 5321 §4.1.2). Callers remove source routes first. `utf8`
 * allows RFC 6531 local parts. Returns undefined for anything malformed.
 */
export function parseMailbox(text: string, utf8 = false): Address | undefined {
  return parseAddress(text, utf8, ofMailboxes);
}

/**
 * Parses the reverse-path of an envelope like `parseMailbox`, but with dots anywhere in the local part and none after
 * the domain.
 */
export function parseSender(text: string, utf8 = false): Address | undefined {
  return parseAddress(text, utf8, ofSenders);
}

function parseAddress(text: string, utf8: boolean, grammar: Grammar): Address | undefined {
  if (text.length > pathMaxOctets) return undefined;
  if (!plain.test(text) && (unprintable.test(text) || Buffer.byteLength(text) > pathMaxOctets)) {
    return undefined;
  }
  const at = text.lastIndexOf('@');
  if (at <= 0) return undefined;
  const localText = text.slice(0, at);
  if (Buffer.byteLength(localText) > localPartMaxOctets) return undefined;
  const isAtom = (utf8 ? grammar.utf8 : grammar.ascii).test(localText);
  const localPart = isAtom ? localText : unquote(localText, utf8);
  const domain =
    text.endsWith('.') && !grammar.hasFinalDot ? undefined : parseMailDomain(text.slice(at + 1), utf8);
  if (localPart === undefined || domain === undefined) return undefined;
  return { localPart, domain };
}

/** Parses a Quoted-string (RFC 5321 §4.1.2); returns its content. */
function unquote(text: string, utf8: boolean): string | undefined {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return undefined;
  let plain = '';
  for (let i = 1; i < text.length - 1; i++) {
    let code = text.charCodeAt(i);
    if (code === 0x22) return undefined;
    if (code === 0x5c) {
      i += 1;
      if (i >= text.length - 1) return undefined;
      code = text.charCodeAt(i);
    }
    if (code > 0x7e && !utf8) return undefined;
    plain += text[i] ?? '';
  }
  return plain;
}

/** Parses a domain name, an RFC 6531 U-label name (kept as it is), or an address literal in brackets. */
function parseMailDomain(text: string, utf8: boolean): string | undefined {
  if (text.startsWith('[')) return isAddressLiteral(text) ? text.toLowerCase() : undefined;
  const name = parseDomainName(text);
  if (name !== undefined || !utf8 || !nonAscii.test(text)) return name;
  const unicode = text.toLowerCase();
  if (Buffer.byteLength(unicode) > domainMaxOctets) return undefined;
  return /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u.test(unicode) ? unicode : undefined;
}

/** RFC 5321 §4.1.3. IPv6 is the only registered tag. */
function isAddressLiteral(text: string): boolean {
  const literal = text.endsWith(']') ? text.slice(1, -1) : '';
  if (!/^ipv6:/i.test(literal)) return isIPv4(literal);
  const address = literal.slice('ipv6:'.length);
  return isIPv6(address) && !address.includes('%');
}
