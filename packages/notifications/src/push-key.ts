// The key pair of a sender of Web Push: its signature identifies the sender to push services (VAPID, RFC 8292).

import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';

const curve = 'prime256v1';
const keyShape = /^[A-Za-z0-9_-]{43}$/;
/** RFC 8292 §2: at most 24 hours. */
const tokenSeconds = 12 * 3600;

export interface PushKey {
  /** Uncompressed point in base64url, as browsers expect it for `applicationServerKey`. */
  readonly publicKey: string;
  /** Returns the value of the Authorization field for an endpoint of this origin. `now` in ms since 1970. */
  authorize(origin: string, contact: string, now: number): string;
}

/** @param text 32 bytes in base64url. @throws Error when it is no private key of P-256 */
export function createPushKey(text: string): PushKey {
  if (!keyShape.test(text)) throw new Error('must be 32 bytes in base64url');
  const pair = createECDH(curve);
  pair.setPrivateKey(text, 'base64url');
  const point = pair.getPublicKey();
  const publicKey = point.toString('base64url');
  const signing = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: text,
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33, 65).toString('base64url'),
    },
  });
  return {
    publicKey,
    authorize: (origin, contact, now) => {
      const claims = { aud: origin, exp: Math.floor(now / 1000) + tokenSeconds, sub: contact };
      return `vapid t=${signToken(signing, claims)}, k=${publicKey}`;
    },
  };
}

/** Returns a JWT signed with ES256 (RFC 7515, RFC 7518 §3.4). */
function signToken(key: KeyObject, claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** Returns the text of a new key. */
export function createKeyText(): string {
  const pair = createECDH(curve);
  pair.generateKeys();
  // Restore the leading zero bytes, which Node leaves out.
  return Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
}
