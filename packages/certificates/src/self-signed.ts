// Makes self-signed certificates according to RFC 5280 §4.1: one for a host name, with the few fields that senders on
// port 25 examine, which serves until there is a better one; and the answer to a challenge by TLS (RFC 8737).

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

import { der, signatureAlgorithm, tag, toAltNames, toExtension, toPem } from './der.ts';

export interface SelfSigned {
  readonly certificatePem: string;
  /** PKCS #8. */
  readonly keyPem: string;
}

export interface SelfSignedOptions {
  /** A host name or an IP address. */
  readonly hostname: string;
  readonly from: Date;
  /** Before the year 2050. */
  readonly until: Date;
  /** The text whose digest proves control over the name; absent for a certificate that serves. */
  readonly keyAuthorization?: string;
}

const version = 0xa0;
const extensions = 0xa3;
/** v3, counted from 0. */
const v3 = 2;

const commonName = [0x55, 0x04, 0x03];
/** RFC 8737 §6.1 */
const acmeIdentifier = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x1f];

/** RFC 4055 §5; its parameters are NULL. */
const rsaAlgorithm = der(
  tag.sequence,
  der(tag.oid, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]),
  [0x05, 0x00],
);

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export function createSelfSigned(options: SelfSignedOptions): SelfSigned {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    certificatePem: certify(pair, options, signatureAlgorithm),
    keyPem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Returns the certificate of an RSA key, in PEM. */
export function certifyRsa(pair: KeyPair, options: SelfSignedOptions): string {
  return certify(pair, options, rsaAlgorithm);
}

function certify(
  { publicKey, privateKey }: KeyPair,
  { hostname, from, until, keyAuthorization }: SelfSignedOptions,
  algorithm: Buffer,
): string {
  const name = toName(hostname);
  const proof = keyAuthorization === undefined ? [] : [toProof(keyAuthorization)];
  const body = der(
    tag.sequence,
    der(version, der(tag.integer, [v3])),
    // Positive, and no leading zero: RFC 5280 §4.1.2.2.
    der(tag.integer, [0x40, ...randomBytes(15)]),
    algorithm,
    name,
    der(tag.sequence, toTime(from), toTime(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(extensions, der(tag.sequence, toAltNames([hostname]), ...proof)),
  );
  const signature = sign('sha256', body, privateKey);
  return toPem('CERTIFICATE', der(tag.sequence, body, algorithm, der(tag.bits, [0], signature)));
}

function toName(hostname: string): Buffer {
  const attribute = der(
    tag.sequence,
    der(tag.oid, commonName),
    der(tag.utf8, Buffer.from(hostname.slice(0, 64))),
  );
  return der(tag.sequence, der(tag.set, attribute));
}

/** RFC 8737 §3 */
function toProof(keyAuthorization: string): Buffer {
  const digest = createHash('sha256').update(keyAuthorization).digest();
  return toExtension(acmeIdentifier, der(tag.octets, digest), true);
}

/** UTCTime, RFC 5280 §4.1.2.5.1 */
function toTime(at: Date): Buffer {
  return der(tag.time, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));
}
