// The origin at which a page has passkeys. It comes from the settings, never from a request, whose sender could have passkeys
// made for another page. Browsers take only names, not addresses, and only HTTPS, but for this machine.

import { isIP } from 'node:net';

/** A relying party, in WebAuthn's words. */
export interface Party {
  /** The host name to which passkeys are bound. */
  readonly id: string;
  /** As browsers name it. */
  readonly origin: string;
}

/** Returns undefined for a text that is not the origin of a page that can have passkeys. */
export function toParty(text: string): Party | undefined {
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  const isName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(hostname) && isIP(hostname) === 0;
  if (!isName) return undefined;
  const isOwn = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isOwn ? { id: hostname, origin } : undefined;
}
