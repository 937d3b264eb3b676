// ACME Renewal Information (RFC 9773): the server says within which time it wants a certificate replaced, earlier than
// planned when it has to revoke it.

import type { AcmeAnswer } from './acme-client.ts';
import { findSerialAndIssuer } from './certificate-fields.ts';
import { AcmeProtocolError } from './problem.ts';
import { toMembers } from './read-objects.ts';

export interface RenewalWindow {
  /** ms since 1970; `from` is before `until`. */
  readonly from: number;
  readonly until: number;
  /** A page that says why; undefined when there is none. */
  readonly explanationUrl: string | undefined;
  /** When to ask again. */
  readonly askAgainAfterMs: number;
}

/** §4.3.2: bounds are the client's to choose. */
const leastMs = 60_000;
const mostMs = 24 * 3_600_000;
const usualMs = 6 * 3_600_000;

/** Names a certificate in DER; undefined for one without the key identifier of its issuer. */
export function toCertificateId(certificate: Uint8Array): string | undefined {
  const { serial, issuerKeyId } = findSerialAndIssuer(Buffer.from(certificate));
  if (!issuerKeyId) return undefined;
  return `${issuerKeyId.toString('base64url')}.${serial.toString('base64url')}`;
}

export function toRenewalUrl(renewalInfo: string, certificateId: string): string {
  return `${renewalInfo.replace(/\/$/, '')}/${certificateId}`;
}

/** @throws AcmeProtocolError */
export function readRenewal({ json, retryAfterMs = usualMs }: AcmeAnswer): RenewalWindow {
  const members = toMembers(json, 'renewal information');
  const { start, end } = toMembers(members['suggestedWindow'], 'suggested window');
  const [from, until] = [Date.parse(String(start)), Date.parse(String(end))];
  if (!(from < until)) throw new AcmeProtocolError('The suggested window has no length.');
  const page = members['explanationURL'];
  return {
    from,
    until,
    explanationUrl: typeof page === 'string' && /^https:\/\/[!-~]{1,500}$/.test(page) ? page : undefined,
    askAgainAfterMs: Math.min(mostMs, Math.max(leastMs, retryAfterMs)),
  };
}

/** Returns an instant in the window, which spreads the load of all clients (§4.2). @param random from 0 to 1 */
export function chooseRenewal(
  { from, until }: Pick<RenewalWindow, 'from' | 'until'>,
  random: number,
): number {
  return Math.floor(from + random * (until - from));
}
