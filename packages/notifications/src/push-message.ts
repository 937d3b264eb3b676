// Encrypts a push message for its browser (RFC 8291, in the form of RFC 8188). The push service in between sees only
// its length, which reveals nothing, since all messages are padded alike.

import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { codeOf } from '../../system-errors/src/error-code.ts';

const curve = 'prime256v1';
const pointBytes = 65;
const secretBytes = 16;
/** The size of the only record. */
const recordSize = 4096;
/** Every plain text has this length once padded. */
const paddedBytes = 256;

export interface PushKeys {
  /** The browser's, in base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

/** Values for the test vectors of the RFC; random otherwise. */
export interface Chosen {
  readonly privateKey: Buffer;
  readonly salt: Buffer;
  readonly paddedBytes: number;
}

/** Reports whether they are a point of the curve and a secret of 16 bytes. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  if (![p256dh, auth].every((text) => /^[A-Za-z0-9_-]+={0,2}$/.test(text))) return false;
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== pointBytes || point[0] !== 4) return false;
  if (Buffer.from(auth, 'base64url').length !== secretBytes) return false;
  const own = createECDH(curve);
  own.generateKeys();
  try {
    own.computeSecret(point);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY') return false;
    throw error;
  }
}

/**
 * Returns the body of the request, with the content coding `aes128gcm`. @throws RangeError for a text that does not fit
 */
export function encryptPush(keys: PushKeys, text: string, chosen?: Chosen): Buffer {
  const plain = Buffer.from(text);
  const padded = Buffer.alloc(chosen?.paddedBytes ?? paddedBytes);
  if (plain.length >= padded.length) throw new RangeError('The push message is too long.');
  plain.copy(padded);
  // The delimiter of the last record (RFC 8188 §2).
  padded[plain.length] = 2;
  const own = createECDH(curve);
  if (chosen) own.setPrivateKey(chosen.privateKey);
  else own.generateKeys();
  const salt = chosen?.salt ?? randomBytes(16);
  const theirs = Buffer.from(keys.p256dh, 'base64url');
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, own.getPublicKey()]);
  const auth = Buffer.from(keys.auth, 'base64url');
  const secret = derive(own.computeSecret(theirs), { salt: auth, about, bytes: 32 });
  const contentKey = derive(secret, { salt, about: 'Content-Encoding: aes128gcm\0', bytes: 16 });
  const nonce = derive(secret, { salt, about: 'Content-Encoding: nonce\0', bytes: 12 });
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(recordSize, 16);
  header[20] = pointBytes;
  return Buffer.concat([
    header,
    own.getPublicKey(),
    cipher.update(padded),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

interface Derivation {
  readonly salt: Buffer;
  readonly about: string | Buffer;
  readonly bytes: number;
}

function derive(key: Buffer, { salt, about, bytes }: Derivation): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, about, bytes));
}
