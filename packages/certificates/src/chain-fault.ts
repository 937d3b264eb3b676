// Whether clients can verify a chain. Loaded when it is asked for: the roots take a while to read.

import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';

import { findTimeFault, readChain } from './certificate-files.ts';

export interface Doubt {
  /** `warn` for what some clients may know better. */
  readonly level: 'error' | 'warn';
  readonly reason: string;
}

/** Returns why clients refuse a certificate that can be presented. @param now ms since 1970 */
export function findDoubt(chainPem: string, now: number): Doubt | undefined {
  const { validFrom, validTo } = new X509Certificate(chainPem);
  const outOfTime = findTimeFault({ from: Date.parse(validFrom), until: Date.parse(validTo) }, now);
  if (outOfTime !== undefined) return { level: 'error', reason: `it ${outOfTime}` };
  const missing = findMissingIssuer(chainPem);
  if (missing === undefined) return undefined;
  return { level: 'warn', reason: `the certificate of its issuer, ${missing}, is missing` };
}

/**
 * Returns the issuer that is missing between the certificate and a root; undefined for none. A self-signed certificate
 * lacks none, and one of a private authority that authority's own.
 */
export function findMissingIssuer(chainPem: string): string | undefined {
  const chain = readChain(chainPem, 'The chain');
  let [last] = chain;
  // No chain is longer than its certificates.
  for (let left = chain.length; last !== undefined && left > 0; left--) {
    const current = last;
    if (current.subject === current.issuer) return undefined;
    const issuer = chain.find((one) => one !== current && current.checkIssued(one));
    if (!issuer) return isIssuedByRoot(current) ? undefined : nameOf(current);
    last = issuer;
  }
  return undefined;
}

function isIssuedByRoot(certificate: X509Certificate): boolean {
  return knownRoots().some((pem) => certificate.checkIssued(new X509Certificate(pem)));
}

/** Those of Node.js, and where it can tell of them, of the operator in NODE_EXTRA_CA_CERTS. */
function knownRoots(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/** In one line. */
function nameOf({ issuer }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(issuer)?.[1] ?? issuer.replaceAll('\n', ', ');
}
