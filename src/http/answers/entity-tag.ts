// ETag and If-None-Match of lists (RFC 9110 §8.8.3, §13.1.2).

import { createHash } from 'node:crypto';

import type { Session } from '../../domain/session.ts';

/**
 * Weak, because `expires_in` counts down while the list stays the same. Includes the session: a cache may hold lists
 * of several sessions, fetched with different Authorization fields from the same URL.
 */
export function listTag(session: Session, range: readonly (number | string | undefined)[]): string {
  // 48 bits of the key, by arithmetic, because every poll needs it.
  let owner = 0;
  for (let at = 0; at < 6; at++) owner = owner * 256 + (session.key[at] ?? 0);
  return `W/"${owner}-${session.version}-${session.expiresAt}-${range.join('.')}"`;
}

/** Distinguishes filters without putting their content into a header field. */
export function tagOfFilter(filter: object): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 16);
}
