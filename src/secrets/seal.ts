// Encryption at rest: everything stored for a session is sealed under the session's data key (AES-256-GCM), so that
// destroying the key erases it wherever copies lie. The only module that knows the format:
// nonce (12 bytes) ‖ tag (16 bytes) ‖ ciphertext. What the bytes are for is authenticated with them, so that a
// blob of one kind never opens as another.

import { createCipheriv, createDecipheriv, randomBytes, randomFillSync } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** By which sealed bytes are longer. */
export const sealOverheadBytes = nonceBytes + tagBytes;

export type SealPurpose =
  'meta' | 'glance' | 'raw' | 'authentication' | 'attempt' | 'webhook' | 'credentials';

const purposeBytes: Readonly<Record<SealPurpose, Buffer>> = {
  meta: Buffer.from('meta'),
  glance: Buffer.from('glance'),
  raw: Buffer.from('raw'),
  authentication: Buffer.from('authentication'),
  attempt: Buffer.from('attempt'),
  webhook: Buffer.from('webhook'),
  credentials: Buffer.from('credentials'),
};

export function createDataKey(): Buffer {
  return randomBytes(32);
}

// One system call fills nonces for a thousand seals: drawn one by one they cost a quarter of sealing a small message.
const pool = Buffer.alloc(nonceBytes * 1024);
let poolUsed = pool.length;

function takeNonce(): Buffer {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  poolUsed += nonceBytes;
  return pool.subarray(poolUsed - nonceBytes, poolUsed);
}

export function sealBytes(dataKey: Uint8Array, purpose: SealPurpose, plain: Uint8Array): Buffer {
  const nonce = takeNonce();
  const cipher = createCipheriv(algorithm, dataKey, nonce).setAAD(purposeBytes[purpose]);
  const body = cipher.update(plain);
  cipher.final();
  const sealed = Buffer.allocUnsafe(sealOverheadBytes + body.length);
  nonce.copy(sealed, 0);
  cipher.getAuthTag().copy(sealed, nonceBytes);
  body.copy(sealed, sealOverheadBytes);
  return sealed;
}

/** @throws Error when the bytes were not sealed under this key for this purpose, or were altered. */
export function openSealed(dataKey: Uint8Array, purpose: SealPurpose, sealed: Uint8Array): Buffer {
  if (sealed.length < sealOverheadBytes) throw new Error('Sealed bytes are too short.');
  const decipher = createDecipheriv(algorithm, dataKey, sealed.subarray(0, nonceBytes))
    .setAAD(purposeBytes[purpose])
    .setAuthTag(sealed.subarray(nonceBytes, sealOverheadBytes));
  const plain = decipher.update(sealed.subarray(sealOverheadBytes));
  decipher.final();
  return plain;
}
