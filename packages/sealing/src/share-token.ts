// Tokens of shares: the session's key, and 192 random bits that only the share's holder has. Their hash is stored, so
// that neither the store nor the session's holder can reconstruct the token.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Wrapping } from './reading-key.ts';
import type { SessionKey } from './token.ts';

/** No token of a session begins like this. */
export const shareTokenPrefix = 'mfs_';
const keyBytes = 16;
const secretBytes = 24;
const shape = /^mfs_[A-Za-z0-9_-]{54}$/;
/** Length in hex digits of the hash's part that identifies a share. */
const idLength = 16;

export interface NewShareToken {
  readonly token: string;
  readonly hash: string;
  readonly id: string;
  readonly wrapping: Wrapping;
}

export function createShareToken(key: SessionKey): NewShareToken {
  const token = shareTokenPrefix + Buffer.concat([key, randomBytes(secretBytes)]).toString('base64url');
  const hash = hashShare(token);
  return { token, hash, id: toId(hash), wrapping: toWrapping(token) };
}

export interface ParsedShareToken {
  readonly sessionKey: SessionKey;
  readonly hash: string;
  readonly id: string;
  readonly wrapping: Wrapping;
}

/** Splits an untrusted token; undefined for text that is not one of a share. */
export function parseShareToken(text: string): ParsedShareToken | undefined {
  if (!shape.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(shareTokenPrefix.length), 'base64url');
  // Spare bits at the end of base64 would allow several spellings of one token.
  if (bytes.length !== keyBytes + secretBytes || shareTokenPrefix + bytes.toString('base64url') !== text) {
    return undefined;
  }
  const key: Uint8Array = bytes.subarray(0, keyBytes);
  const hash = hashShare(text);
  return { sessionKey: key as SessionKey, hash, id: toId(hash), wrapping: toWrapping(text) };
}

/** Takes the same time wherever two hashes differ. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function toId(hash: string): string {
  return hash.slice(0, idLength);
}

/** Returns the wrapping of the session's reading key in the share's row. */
function toWrapping(token: string): Wrapping {
  return { secret: token, use: 'share' };
}

function hashShare(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
