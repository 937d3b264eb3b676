// How the keys of sealed mail are derived (docs/sealed-mail.md): those of a session from its token, and the key of its
// content from an ephemeral key. Used by the sealer, which holds no reading key, and by the reading key itself; other
// folders may not import it.

import { createHmac, createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';

import type { SealTarget } from './sealed-format.ts';

const tokenLabel = 'mayfly reading key 1';
const contentLabel = Buffer.from('mayfly sealed mail 1');

/** HKDF-SHA-256 (RFC 5869) of one block: 32 bytes. By HMAC because `hkdfSync` takes half as long again. */
export function hkdf(
  secret: Uint8Array | string,
  salt: Uint8Array | string,
  info: Uint8Array | string,
): Buffer {
  const pseudoRandom = createHmac('sha256', salt).update(secret).digest();
  const key = createHmac('sha256', pseudoRandom).update(info).update('\x01').digest();
  pseudoRandom.fill(0);
  return key;
}

/** Returns the seed of the reading key, 32 bytes: an X25519 private key before clamping. */
export function toSeed(token: string): Buffer {
  // As text: a buffer of it would be part of a pool, which is not overwritten.
  return hkdf(token, '', tokenLabel);
}

/** Returns the key pair of a seed, whose public key is computed from it. */
export function toKeyPair(seed: Uint8Array): { readonly privateKey: KeyObject; readonly publicKey: Buffer } {
  // Node wants `x`, but makes the public key from `d`.
  const jwk = { kty: 'OKP', crv: 'X25519', d: toBase64Url(seed), x: '' };
  const privateKey = withoutPool(() => createPrivateKey({ format: 'jwk', key: jwk }));
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: Buffer.from(x, 'base64url') };
}

/** Node decodes `d` into its pool of small buffers, where it would stay. */
function withoutPool<T>(work: () => T): T {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    return work();
  } finally {
    Buffer.poolSize = poolSize;
  }
}

export interface ContentKeyParts {
  /** One half's private key; the other half's public key is in `target` or `ephemeral`. */
  readonly privateKey: KeyObject;
  readonly target: SealTarget;
  /** The ephemeral public key, 32 bytes. */
  readonly ephemeral: Uint8Array;
  readonly isOwner: boolean;
}

/** Returns the AES-256 key of a session's content under an ephemeral key; both halves get the same. */
export function deriveContentKey({ privateKey, target, ephemeral, isOwner }: ContentKeyParts): Buffer {
  const other = isOwner ? ephemeral : target.publicKey;
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'X25519', x: toBase64Url(other) },
  });
  const shared = diffieHellman({ privateKey, publicKey });
  const key = hkdf(shared, target.salt, Buffer.concat([contentLabel, ephemeral, target.publicKey]));
  shared.fill(0);
  return key;
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}
