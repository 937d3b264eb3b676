// A request for a certificate (PKCS #10, RFC 2986): the public key and the names, signed by the key. ACME takes it in
// DER.

import { createPublicKey, type KeyObject, sign } from 'node:crypto';

import { der, signatureAlgorithm, tag, toAltNames } from '../der.ts';

const attributes = 0xa0;
/** RFC 2985 §5.4.2 */
const extensionRequest = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e];

/**
 * Without a subject: names are in the extension alone, as RFC 8555 §7.4 allows.
 * @param key private, on P-256
 * @param names domain names and IP addresses
 */
export function createCertificateRequest(key: KeyObject, names: readonly string[]): Buffer {
  const wanted = der(tag.set, der(tag.sequence, toAltNames(names)));
  const body = der(
    tag.sequence,
    der(tag.integer, [0]),
    der(tag.sequence),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(attributes, der(tag.sequence, der(tag.oid, extensionRequest), wanted)),
  );
  return der(tag.sequence, body, signatureAlgorithm, der(tag.bits, [0], sign('sha256', body, key)));
}
