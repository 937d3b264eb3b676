// The domain of an address in the one form in which domains are compared and looked up. A URL parser must not do this:
// it cuts `evil.test/paypal.com` at the slash, and takes numbers for addresses of hosts.

import { domainToASCII, domainToUnicode } from 'node:url';

import { parseDomainName } from './address.ts';

/** Of more octets no domain has as many characters. */
const maxChars = 255;
const isAscii = /^[\x00-\x7f]*$/;
const unicodeName = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;
/** At least two labels; the last is of letters, or an A-label (RFC 3696 §2). */
const publicName = /\.(?:[a-z]+|xn--[a-z0-9-]+)$/;

/**
 * A domain of the public DNS in lower case, A-labels for others than ASCII (RFC 5890). Undefined for anything else:
 * address literals, a single label, a dot at the end, and what only becomes a domain by mapping its characters.
 */
export function toAsciiDomain(text: string): string | undefined {
  if (text.length > maxChars || text.endsWith('.')) return undefined;
  if (isAscii.test(text)) {
    const name = parseDomainName(text);
    return name !== undefined && publicName.test(name) ? name : undefined;
  }
  const unicode = text.toLowerCase();
  if (!unicodeName.test(unicode) || text.normalize('NFC') !== text) return undefined;
  const ascii = toAsciiDomain(domainToASCII(unicode) || '.');
  return ascii !== undefined && domainToUnicode(ascii) === unicode ? ascii : undefined;
}
