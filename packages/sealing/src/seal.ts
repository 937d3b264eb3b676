// AES-256-GCM as everything sealed uses it: nonce (12 bytes) ‖ tag (16 bytes) ‖ ciphertext. The purpose of the bytes is
// authenticated too, so that a blob of one kind never opens as another.

import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** How much longer sealed bytes are. */
export const sealOverheadBytes = nonceBytes + tagBytes;

export type SealPurpose =
  | 'meta'
  | 'glance'
  | 'raw'
  | 'authentication'
  | 'attempt'
  | 'webhook'
  | 'webhook content'
  | 'credentials'
  | 'password'
  | 'push'
  | 'reading key'
  | 'record';

const purposeBytes: Readonly<Record<SealPurpose, Buffer>> = {
  meta: Buffer.from('meta'),
  glance: Buffer.from('glance'),
  raw: Buffer.from('raw'),
  authentication: Buffer.from('authentication'),
  attempt: Buffer.from('attempt'),
  webhook: Buffer.from('webhook'),
  'webhook content': Buffer.from('webhook content'),
  credentials: Buffer.from('credentials'),
  password: Buffer.from('password'),
  push: Buffer.from('push'),
  'reading key': Buffer.from('reading key'),
  record: Buffer.from('record'),
};

const noBytes = Buffer.alloc(0);

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

export function sealBytes(key: Uint8Array, purpose: SealPurpose, plain: Uint8Array): Buffer {
  return sealAfter(noBytes, { key, purpose }, plain);
}

export interface SealedBy {
  readonly key: Uint8Array;
  readonly purpose: SealPurpose;
}

/** @param head put before the sealed bytes as it is */
export function sealAfter(head: Uint8Array, { key, purpose }: SealedBy, plain: Uint8Array): Buffer {
  return sealPieces({ head, key, purpose }, [plain]);
}

/**
 * Seals the pieces as if they were joined, without joining them. Returns the part of the slab that was filled.
 * @param slab with room for everything; without it the result has a buffer of its own
 */
export function sealPieces(
  { head, key, purpose }: SealedBy & { readonly head: Uint8Array },
  pieces: readonly Uint8Array[],
  slab?: Buffer,
): Buffer {
  const into = slab ?? Buffer.allocUnsafe(head.length + sealOverheadBytes + sizeOf(pieces));
  const nonce = takeNonce();
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(purposeBytes[purpose]);
  const from = head.length;
  let end = from + sealOverheadBytes;
  for (const piece of pieces) {
    into.set(cipher.update(piece), end);
    end += piece.length;
  }
  cipher.final();
  into.set(head, 0);
  into.set(nonce, from);
  into.set(cipher.getAuthTag(), from + nonceBytes);
  return end === into.length ? into : into.subarray(0, end);
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** @throws Error when the bytes were not sealed with this key for this purpose, or were altered */
export function openSealed(key: Uint8Array, purpose: SealPurpose, sealed: Uint8Array): Buffer {
  if (sealed.length < sealOverheadBytes) throw new Error('Sealed bytes are too short.');
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
    .setAAD(purposeBytes[purpose])
    .setAuthTag(sealed.subarray(nonceBytes, sealOverheadBytes));
  const plain = decipher.update(sealed.subarray(sealOverheadBytes));
  decipher.final();
  return plain;
}

/** For what may be sealed under a key that is no longer in use: returns undefined where `openSealed` throws. */
export function tryOpenSealed(key: Uint8Array, purpose: SealPurpose, sealed: Uint8Array): Buffer | undefined {
  try {
    return openSealed(key, purpose, sealed);
  } catch {
    // GCM does not distinguish another key from altered bytes.
    return undefined;
  }
}
