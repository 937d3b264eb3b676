// AES-256-GCM as everything sealed uses it: nonce (12 bytes) ‖ tag (16 bytes) ‖ ciphertext. The purpose of the bytes is
// authenticated too, so that a blob of one kind never opens as another. Plain JavaScript, because tests run threads
// unbuilt.

import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** How much longer sealed bytes are. */
export const sealOverheadBytes = nonceBytes + tagBytes;

/** @typedef {'meta' | 'glance' | 'raw' | 'authentication' | 'attempt' | 'webhook' | 'webhook content' | 'credentials' | 'password' | 'push' | 'reading key' | 'record'} SealPurpose */

/** @type {Readonly<Record<SealPurpose, Buffer>>} */
const purposeBytes = {
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

function takeNonce() {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  poolUsed += nonceBytes;
  return pool.subarray(poolUsed - nonceBytes, poolUsed);
}

/**
 * @param {Uint8Array} key
 * @param {SealPurpose} purpose
 * @param {Uint8Array} plain
 * @returns {Buffer}
 */
export function sealBytes(key, purpose, plain) {
  return sealAfter(noBytes, { key, purpose }, plain);
}

/**
 * @param {Uint8Array} head put before the sealed bytes as it is
 * @param {{ readonly key: Uint8Array, readonly purpose: SealPurpose }} by
 * @param {Uint8Array} plain
 * @returns {Buffer}
 */
export function sealAfter(head, { key, purpose }, plain) {
  return sealPieces({ head, key, purpose }, [plain]);
}

/**
 * Seals the pieces as if they were joined, without joining them.
 * @param {{ readonly head: Uint8Array, readonly key: Uint8Array, readonly purpose: SealPurpose }} by as for `sealAfter`
 * @param {readonly Uint8Array[]} pieces
 * @param {Buffer} [slab] with room for everything; without it the result has a buffer of its own
 * @returns {Buffer} the part of the slab that was filled
 */
export function sealPieces({ head, key, purpose }, pieces, slab) {
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

/** @param {readonly Uint8Array[]} pieces */
function sizeOf(pieces) {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/**
 * @param {Uint8Array} key
 * @param {SealPurpose} purpose
 * @param {Uint8Array} sealed
 * @returns {Buffer}
 * @throws Error when the bytes were not sealed with this key for this purpose, or were altered
 */
export function openSealed(key, purpose, sealed) {
  if (sealed.length < sealOverheadBytes) throw new Error('Sealed bytes are too short.');
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
    .setAAD(purposeBytes[purpose])
    .setAuthTag(sealed.subarray(nonceBytes, sealOverheadBytes));
  const plain = decipher.update(sealed.subarray(sealOverheadBytes));
  decipher.final();
  return plain;
}

/**
 * For what may be sealed under a key that is no longer in use: returns undefined where `openSealed` throws.
 * @param {Uint8Array} key
 * @param {SealPurpose} purpose
 * @param {Uint8Array} sealed
 * @returns {Buffer | undefined}
 */
export function tryOpenSealed(key, purpose, sealed) {
  try {
    return openSealed(key, purpose, sealed);
  } catch {
    // GCM does not distinguish another key from altered bytes.
    return undefined;
  }
}
