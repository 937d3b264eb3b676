// Issues certificates for requests in DER, with the fields that a client of ACME reads.

import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';

import { der, signatureAlgorithm, tag, toAltNames, toExtension, toPem } from '#certificates/der';

const authorityKeyIdentifier = [0x55, 0x1d, 0x23];

export interface Issue {
  readonly publicKey: Buffer;
  readonly names: readonly string[];
  readonly issuer: KeyObject;
  readonly from: number;
  /** Before the year 2050. */
  readonly until: number;
}

/** Returns it in PEM. */
export function issueCertificate({ publicKey, names, issuer, from, until }: Issue): string {
  const issuerName = toName('Authority of a test');
  const keyId = createHash('sha1')
    .update(createPublicKey(issuer).export({ type: 'spki', format: 'der' }))
    .digest();
  const body = der(
    tag.sequence,
    der(0xa0, der(tag.integer, [2])),
    der(tag.integer, [0x40, ...randomBytes(15)]),
    signatureAlgorithm,
    issuerName,
    der(tag.sequence, toTime(from), toTime(until)),
    der(tag.sequence),
    publicKey,
    der(
      0xa3,
      der(
        tag.sequence,
        toAltNames(names),
        toExtension(authorityKeyIdentifier, der(tag.sequence, der(0x80, keyId))),
      ),
    ),
  );
  return toPem(
    'CERTIFICATE',
    der(tag.sequence, body, signatureAlgorithm, der(tag.bits, [0], sign('sha256', body, issuer))),
  );
}

/** Returns the public key of a request, whose signature it checks only for its place. */
export function readRequest(request: Buffer): { readonly publicKey: Buffer } {
  const body = contentOf(request);
  let at = contentStart(body);
  // The version and the subject.
  at += sizeAt(body, at);
  at += sizeAt(body, at);
  return { publicKey: body.subarray(at, at + sizeAt(body, at)) };
}

function toName(name: string): Buffer {
  const attribute = der(tag.sequence, der(tag.oid, [0x55, 0x04, 0x03]), der(tag.utf8, Buffer.from(name)));
  return der(tag.sequence, der(tag.set, attribute));
}

function toTime(at: number): Buffer {
  return der(tag.time, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));
}

function contentOf(element: Buffer): Buffer {
  return element.subarray(contentStart(element));
}

function contentStart(element: Buffer, at = 0): number {
  const first = element[at + 1] ?? 0;
  return at + 2 + (first < 0x80 ? 0 : first - 0x80);
}

function sizeAt(bytes: Buffer, at: number): number {
  const first = bytes[at + 1] ?? 0;
  const length = first < 0x80 ? first : bytes.readUIntBE(at + 2, first - 0x80);
  return contentStart(bytes, at) - at + length;
}
