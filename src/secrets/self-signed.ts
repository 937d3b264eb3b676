// Makes a self-signed certificate for a host name, encoded in DER (X.690) according to RFC 5280 §4.1, with the few
// fields that senders on port 25 examine. Called by tls-certificate.ts at the first start.

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SelfSigned {
  readonly certificatePem: string;
  /** PKCS #8. */
  readonly keyPem: string;
}

export interface SelfSignedOptions {
  readonly hostname: string;
  readonly from: Date;
  /** Before the year 2050. */
  readonly until: Date;
}

const tag = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
};
const dnsName = 0x82;
const version = 0xa0;
const extensions = 0xa3;
/** v3, counted from 0. */
const v3 = 2;

const commonName = [0x55, 0x04, 0x03];
const subjectAltName = [0x55, 0x1d, 0x11];
/** RFC 5758 §3.2 */
const ecdsaWithSha256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

export function createSelfSigned({ hostname, from, until }: SelfSignedOptions): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(tag.sequence, der(tag.oid, ecdsaWithSha256));
  const name = toName(hostname);
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
    der(extensions, der(tag.sequence, toAltName(hostname))),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der(tag.sequence, body, algorithm, der(tag.bits, [0], signature));
  return {
    certificatePem: toPem('CERTIFICATE', certificate),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function toName(hostname: string): Buffer {
  const attribute = der(
    tag.sequence,
    der(tag.oid, commonName),
    der(tag.utf8, Buffer.from(hostname.slice(0, 64))),
  );
  return der(tag.sequence, der(tag.set, attribute));
}

function toAltName(hostname: string): Buffer {
  const names = der(tag.sequence, der(dnsName, Buffer.from(hostname, 'ascii')));
  return der(tag.sequence, der(tag.oid, subjectAltName), der(tag.octets, names));
}

/** UTCTime, RFC 5280 §4.1.2.5.1 */
function toTime(at: Date): Buffer {
  return der(tag.time, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));
}

function der(type: number, ...parts: readonly (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([type]), toLength(content.length), content]);
}

/** X.690 §8.1.3; below 65,536. */
function toLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

function toPem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
