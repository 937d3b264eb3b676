// Signatures of Amazon SNS: RSA over the members of the notification, by a certificate that the notification names. Only
// certificates from hosts of SNS are fetched, over https, and only those in force for SNS are believed.

import { createVerify, X509Certificate } from 'node:crypto';

import { unauthorized } from '../intake.ts';
import { fromBase64 } from './basic-credentials.ts';

const hostForm = /^sns\.[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?$/;
const fileForm = /^\/SimpleNotificationService-[0-9A-Za-z]{8,128}\.pem$/;

/** A Message begins what is signed, so it can be hashed as it arrives, before the version is known. */
export class SnsSignature {
  readonly #verifiers = new Map([
    ['1', createVerify('RSA-SHA1')],
    ['2', createVerify('RSA-SHA256')],
  ]);

  constructor() {
    this.#update('Message\n');
  }

  pushMessage(piece: Buffer): void {
    this.#update(piece);
  }

  /**
   * @param rest the other signed members, in order; undefined ones are absent
   * @throws InboundRefusal
   */
  check(
    rest: readonly (readonly [name: string, value: string | undefined])[],
    { version, signature, certificate }: SignedBy,
  ): void {
    this.#update('\n');
    for (const [name, value] of rest) if (value !== undefined) this.#update(`${name}\n${value}\n`);
    const verifier = this.#verifiers.get(version);
    if (!verifier?.verify(certificate.publicKey, fromBase64(signature))) {
      throw unauthorized('The signature is wrong.');
    }
  }

  #update(piece: Buffer | string): void {
    for (const verifier of this.#verifiers.values()) verifier.update(piece);
  }
}

export interface SignedBy {
  /** `SignatureVersion` of the notification. */
  readonly version: string;
  readonly signature: string;
  readonly certificate: X509Certificate;
}

/** Returns a URL of SNS; undefined for anything else, whatever it looks like. */
export function parseSnsUrl(text: string): URL | undefined {
  const url = text.length <= 2000 && URL.canParse(text) ? new URL(text) : undefined;
  const isSns =
    // In its one spelling.
    url?.href === text &&
    url.protocol === 'https:' &&
    hostForm.test(url.hostname) &&
    url.port === '' &&
    url.username === '' &&
    url.password === '';
  return isSns ? url : undefined;
}

/** @throws InboundRefusal unless it names a certificate of SNS */
export function checkCertificateUrl(text: string): string {
  const url = parseSnsUrl(text);
  if (!url || !fileForm.test(url.pathname) || url.search !== '' || url.hash !== '') {
    throw unauthorized('The certificate of the signature is not one of Amazon SNS.');
  }
  return url.href;
}

/**
 * Parses the certificate from such a URL, with the ones that follow it, each of which must have issued the one before.
 * @throws InboundRefusal
 */
export function readCertificate(pem: string, url: string, now: number): X509Certificate {
  const chain = (pem.match(/-----BEGIN CERTIFICATE-----[^-]{1,20000}-----END CERTIFICATE-----/g) ?? []).slice(
    0,
    8,
  );
  try {
    const certificates = chain.map((one) => new X509Certificate(one));
    const [leaf] = certificates;
    if (leaf && isOfSns(leaf, new URL(url).hostname) && certificates.every((one) => isInForce(one, now))) {
      const isChain = certificates.every((one, at) => {
        const issuer = certificates[at + 1];
        return !issuer || (one.checkIssued(issuer) && one.verify(issuer.publicKey));
      });
      if (isChain && leaf.publicKey.asymmetricKeyType === 'rsa') return leaf;
    }
  } catch (error) {
    // OpenSSL says nothing that the provider could use.
    throw Object.assign(unauthorized('The certificate of the signature cannot be read.'), { cause: error });
  }
  throw unauthorized('The certificate of the signature is not in force for Amazon SNS.');
}

function isOfSns(certificate: X509Certificate, host: string): boolean {
  const general = host.endsWith('.cn') ? 'sns.amazonaws.com.cn' : 'sns.amazonaws.com';
  return [host, general].some((name) => certificate.checkHost(name, { subject: 'always' }) !== undefined);
}

function isInForce({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now < Date.parse(validTo);
}
