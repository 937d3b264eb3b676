// Reads certificates, and checks that one issued is the one ordered before it replaces another.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import type { StoredCertificate } from './certificate-records.ts';
import type { CertificateFacts } from './renewal-plan.ts';

/** A chain that does not fit its order. */
export class UnfitCertificate extends Error {
  override readonly name = 'UnfitCertificate';
}

/** The first of the chain. @throws Error */
export function readLeaf(chainPem: string): X509Certificate {
  return new X509Certificate(chainPem);
}

/** Reports whether it is a certificate for the host name or IP address. */
export function isFor(leaf: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name)) !== undefined;
}

/** @throws Error */
export function readFacts(stored: StoredCertificate): CertificateFacts {
  const leaf = readLeaf(stored.chainPem);
  const { directoryUrl, names, profile, issuedAt } = stored;
  return {
    directoryUrl,
    names,
    profile,
    issuedAt,
    notBefore: Date.parse(leaf.validFrom),
    notAfter: Date.parse(leaf.validTo),
  };
}

/** @throws UnfitCertificate */
export function checkIssued({ chainPem, keyPem, names }: Omit<StoredCertificate, 'issuedAt'>): void {
  let leaf: X509Certificate;
  try {
    leaf = readLeaf(chainPem);
  } catch (error) {
    throw new UnfitCertificate('The server gave a certificate that cannot be read.', { cause: error });
  }
  if (!leaf.checkPrivateKey(createPrivateKey(keyPem))) {
    throw new UnfitCertificate('The server gave a certificate for another key.');
  }
  const missing = names.find((name) => !isFor(leaf, name));
  if (missing !== undefined) throw new UnfitCertificate(`The server gave a certificate without ${missing}.`);
}
