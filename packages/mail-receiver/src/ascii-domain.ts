// Normalises the domain of an address for comparison and look-up. A URL parser is no substitute: it cuts
// `evil.test/paypal.com` at the slash and reads numbers as IP addresses.

import { domainToASCII, domainToUnicode } from 'node:url';

import { parseDomainName } from './address.ts';

/** No longer domain is valid. */
const charsMax = 255;
const isAscii = /^[\x00-\x7f]*$/;
const unicodeName = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;
/** At least two labels, the last of letters or an A-label (RFC 3696 §2). */
const publicName = /\.(?:[a-z]+|xn--[a-z0-9-]+)$/;

/**
 * Returns a public DNS domain in lower case, with A-labels for non-ASCII (RFC 5890). Undefined for anything else:
 * address literals, a single label, a final dot, and names that are valid only after mapping their characters.
 */
export function toAsciiDomain(text: string): string | undefined {
  if (text.length > charsMax || text.endsWith('.')) return undefined;
  if (isAscii.test(text)) {
    const name = parseDomainName(text);
    return name !== undefined && publicName.test(name) ? name : undefined;
  }
  const unicode = text.toLowerCase();
  if (!unicodeName.test(unicode) || text.normalize('NFC') !== text) return undefined;
  const ascii = toAsciiDomain(domainToASCII(unicode) || '.');
  return ascii !== undefined && domainToUnicode(ascii) === unicode ? ascii : undefined;
}

/**
 * Returns a domain as people write it in DNS form: in lower case and, when it is not ASCII, in A-labels. Undefined when it
 * is no host name.
 */
export function parseWrittenDomain(text: string): string | undefined {
  return isAscii.test(text)
    ? parseDomainName(text)
    : toAsciiDomain(text.normalize('NFC').replace(/[.\u3002]$/, ''));
}
