// Session tokens: 256 random bits that only the caller has. Here they are made and turned into what may be stored.

import { createHash, randomBytes } from 'node:crypto';

import type { SessionKey } from '../domain/session.ts';

const prefix = 'mf_';
const shape = /^mf_[A-Za-z0-9_-]{43}$/;

export function createToken(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** SHA-256 of the token; undefined for text that no token of ours looks like, which saves the look-up. */
export function hashToken(token: string): Buffer | undefined {
  return shape.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

/** Where the session's rows are: the first 128 bits of the hash. */
export function toSessionKey(tokenHash: Uint8Array): SessionKey {
  return tokenHash.subarray(0, 16) as SessionKey;
}
