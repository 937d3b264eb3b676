// Writes the few elements of DER (X.690) that certificates and requests for them need.

import { isIP } from 'node:net';

import { toAddressBytes } from '../../acme/src/identifier.ts';

export const tag = {
  boolean: 0x01,
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
const ipAddress = 0x87;
const subjectAltName = [0x55, 0x1d, 0x11];
/** RFC 5758 §3.2 */
const ecdsaWithSha256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

type Part = Uint8Array | readonly number[];

export function der(type: number, ...parts: readonly Part[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([type]), toLength(content.length), content]);
}

/** The AlgorithmIdentifier of signatures by a key on P-256. */
export const signatureAlgorithm = der(tag.sequence, der(tag.oid, ecdsaWithSha256));

/** The extension with the names that a certificate is for, domain names and IP addresses: RFC 5280 §4.2.1.6. */
export function toAltNames(names: readonly string[]): Buffer {
  const general = names.map((name) =>
    isIP(name) === 0 ? der(dnsName, Buffer.from(name, 'ascii')) : der(ipAddress, toAddressBytes(name)),
  );
  return toExtension(subjectAltName, der(tag.sequence, ...general));
}

export function toExtension(oid: readonly number[], value: Uint8Array, isCritical = false): Buffer {
  const critical = isCritical ? [der(tag.boolean, [0xff])] : [];
  return der(tag.sequence, der(tag.oid, oid), ...critical, der(tag.octets, value));
}

/** X.690 §8.1.3; below 65,536. */
function toLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

export function toPem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
