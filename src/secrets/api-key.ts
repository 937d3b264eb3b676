// API keys: 256 random bits that only their holder has, like session tokens, but told apart from them and from each
// other by their first letters. Here they are made and turned into what may be stored.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { KeyKind } from '../domain/api-key.ts';

const prefixes = { caller: 'mfk_', admin: 'mfa_' } as const satisfies Record<KeyKind, string>;
const shape = /^(mfk_|mfa_)[A-Za-z0-9_-]{43}$/;

export function createApiKey(kind: KeyKind): string {
  return prefixes[kind] + randomBytes(32).toString('base64url');
}

/** SHA-256 of the key; undefined for text that no key of this kind looks like. */
export function hashApiKey(key: string, kind: KeyKind): Buffer | undefined {
  return shape.exec(key)?.[1] === prefixes[kind] ? createHash('sha256').update(key).digest() : undefined;
}

export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
