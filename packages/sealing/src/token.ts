// Makes and hashes session tokens: 256 random bits that only the caller has.

import { createHash, randomBytes } from 'node:crypto';

const prefix = 'mf_';
const shape = /^mf_[A-Za-z0-9_-]{43}$/;

/** The first 128 bits of the token's SHA-256 (16 bytes), by which the session's rows are found. */
export type SessionKey = Uint8Array & { readonly __brand: 'SessionKey' };

export interface NewToken {
  readonly token: string;
  readonly hash: Buffer;
}

export function createToken(): NewToken {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, hash: digest(token) };
}

/** Returns the SHA-256 of the token; undefined for text that cannot be a token, which saves the look-up. */
export function hashToken(token: string): Buffer | undefined {
  return shape.test(token) ? digest(token) : undefined;
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the first 128 bits of the hash, by which the session's rows are found. */
export function toSessionKey(tokenHash: Uint8Array): SessionKey {
  return tokenHash.subarray(0, 16) as SessionKey;
}
