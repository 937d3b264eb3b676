// Normalises what is blocked, so that nothing is listed twice and look-ups are exact. sender: an address,
// `spam@example.org`, or a domain with its subdomains, `example.org`; prefix: a local part that is not given out,
// `paypal`, or with a final `*` all that begin with it; network: an address or a block, `192.0.2.0/24`.

import { normaliseBlock } from '#networks/network-set';
import { parseDomainName, parseSender, toAddressKey } from '#mail-receiver/address';
import type { BlockKind } from '../../store/block-store.ts';

/** Returns undefined for an invalid value. */
export function parseBlockValue(kind: BlockKind, text: string): string | undefined {
  switch (kind) {
    case 'sender':
      return parseSenderValue(text.trim());
    case 'prefix':
      return /^[a-z0-9._-]{1,40}\*?$/.exec(text.trim().toLowerCase())?.[0];
    case 'network':
      return normaliseBlock(text);
  }
}

function parseSenderValue(text: string): string | undefined {
  if (!text.includes('@')) return parseDomainName(text);
  const address = parseSender(text, true);
  return address && toAddressKey(address);
}

/** Describes valid values, in words that end a sentence. */
export function describeBlockValue(kind: BlockKind): string {
  switch (kind) {
    case 'sender':
      return 'an address such as spam@example.org or a domain such as example.org';
    case 'prefix':
      return 'a prefix such as paypal, or paypal* for all that begin with it';
    case 'network':
      return 'an address or a block such as 192.0.2.0/24';
  }
}
