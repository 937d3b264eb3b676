// Certificates for tests: self-signed, or from the test's own authority. Node.js reads X.509 but does not write it, so
// this encodes the few fields a TLS client reads (DER: RFC 5280, RFC 5480).

import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const dayMs = 86_400_000;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  /** In PEM. */
  readonly cert: string;
  /**
   * Issues a certificate for the host name, valid for `days`: a negative number makes one that expired that long ago.
   */
  issue(host: string, days?: number): Certificate;
}

/** Returns a certificate for the host name, in PEM; valid for a day. */
export function makeCertificate(host: string): Certificate {
  return issue({ host, issuer: host, days: 1 });
}

export function makeAuthority(): Authority {
  const name = 'Authority of a test';
  const own = makeCertificate(name);
  const signer = createPrivateKey(own.key);
  return { cert: own.cert, issue: (host, days = 1) => issue({ host, issuer: name, days, signer }) };
}

interface Order {
  readonly host: string;
  readonly issuer: string;
  readonly days: number;
  /** By default the certificate's own key. */
  readonly signer?: KeyObject;
}

function issue({ host, issuer, days, signer }: Order): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const now = Date.now();
  // An expired one began a day before its end.
  const [from, until] = [now + Math.min(0, days - 1) * dayMs, now + days * dayMs];
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(from), time(until)),
    commonName(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions(host, signer === undefined)),
  );
  const signature = sign('sha256', body, signer ?? privateKey);
  const der = sequence(body, ecdsaWithSha256, bitString(signature));
  const lines = der.toString('base64').replaceAll(/.{1,64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
  };
}

/** A self-signed certificate may also sign others. */
function extensions(host: string, isSelfSigned: boolean): Buffer {
  const names = extension('551d11', sequence(tagged(0x82, Buffer.from(host))));
  const authority = extension('551d13', sequence(tagged(0x01, Buffer.of(0xff))));
  return sequence(names, ...(isSelfSigned ? [authority] : []));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), tagged(0x04, value));
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(name)))));
}

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.of(0), bytes]));
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|[.]\d+/g, '');
  return tagged(0x17, Buffer.from(digits.slice(2)));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}
