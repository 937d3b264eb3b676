// Makes and hashes API keys: 256 random bits like session tokens, with prefixes that distinguish all kinds.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { KeyKind } from '../domain/api-key.ts';

const prefixes = { caller: 'mfk_', admin: 'mfa_' } as const satisfies Record<KeyKind, string>;
const shape = /^(mfk_|mfa_)[A-Za-z0-9_-]{43}$/;

export function createApiKey(kind: KeyKind): string {
  return prefixes[kind] + randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of the key; undefined for text that cannot be a key of this kind. */
export function hashApiKey(key: string, kind: KeyKind): Buffer | undefined {
  return shape.exec(key)?.[1] === prefixes[kind] ? createHash('sha256').update(key).digest() : undefined;
}

export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
