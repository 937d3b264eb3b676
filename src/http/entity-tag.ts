// ETag and If-None-Match of lists (RFC 9110 §8.8.3, §13.1.2).

import { createHash } from 'node:crypto';

import type { Session } from '../domain/session.ts';

/**
 * Weak, since `expires_in` counts on while the list stays. Covers the session too: one cache may hold lists of
 * several, fetched with different Authorization fields from the same address.
 */
export function listTag(session: Session, range: readonly (number | string | undefined)[]): string {
  // 48 bits of the key, by arithmetic: this runs on every poll.
  let owner = 0;
  for (let at = 0; at < 6; at++) owner = owner * 256 + (session.key[at] ?? 0);
  return `W/"${owner}-${session.version}-${session.expiresAt}-${range.join('.')}"`;
}

/** Tells one filter from another; what they say need not stand in a header field. */
export function tagOfFilter(filter: object): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 16);
}

/** Weak comparison. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}
