// Finds the serial number and the issuer's key identifier of a certificate in DER (RFC 5280 §4.1, X.690), which Node
// does not give as they are encoded.

import { AcmeProtocolError } from './problem.ts';

export interface SerialAndIssuer {
  /** The content of the INTEGER, with its sign byte. */
  readonly serial: Buffer;
  /** The key identifier of the extension AuthorityKeyIdentifier. */
  readonly issuerKeyId: Buffer | undefined;
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

const tag = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  keyId: 0x80,
  version: 0xa0,
  extensions: 0xa3,
};
const authorityKeyIdentifier = Buffer.from([0x55, 0x1d, 0x23]);

/** @throws AcmeProtocolError */
export function findSerialAndIssuer(certificate: Buffer): SerialAndIssuer {
  const [whole] = readElements(certificate);
  const [body] = readElements(expect(whole, tag.sequence));
  const fields = readElements(expect(body, tag.sequence));
  const serial = fields[0]?.tag === tag.version ? fields[1] : fields[0];
  const extensions = fields.find((field) => field.tag === tag.extensions);
  return { serial: expect(serial, tag.integer), issuerKeyId: extensions && findKeyId(extensions.content) };
}

function findKeyId(extensions: Buffer): Buffer | undefined {
  const [list] = readElements(extensions);
  for (const extension of readElements(expect(list, tag.sequence))) {
    const parts = readElements(extension.content);
    if (parts[0]?.tag !== tag.oid || !parts[0].content.equals(authorityKeyIdentifier)) continue;
    const [value] = readElements(expect(parts.at(-1), tag.octets));
    return readElements(expect(value, tag.sequence)).find((part) => part.tag === tag.keyId)?.content;
  }
  return undefined;
}

function expect(element: Element | undefined, wanted: number): Buffer {
  if (element?.tag !== wanted) throw new AcmeProtocolError('This is no certificate.');
  return element.content;
}

function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const { length, from } = readLength(bytes, at + 1);
    if (from + length > bytes.length) throw new AcmeProtocolError('The certificate is cut off.');
    elements.push({ tag: bytes[at] ?? 0, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return elements;
}

function readLength(bytes: Buffer, at: number): { readonly length: number; readonly from: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { length: first, from: at + 1 };
  const size = first - 0x80;
  if (size < 1 || size > 3 || at + 1 + size > bytes.length) {
    throw new AcmeProtocolError('The certificate has a length that is not allowed.');
  }
  return { length: bytes.readUIntBE(at + 1, size), from: at + 1 + size };
}
