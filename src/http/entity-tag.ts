// ETag and If-None-Match of lists (RFC 9110 §8.8.3, §13.1.2).

import type { Session } from '../domain/session.ts';

/**
 * Weak, since `expires_in` counts on while the list stays. Covers the session too: one cache may hold lists of
 * several, fetched with different Authorization fields from the same address.
 */
export function listTag(session: Session, range: readonly (number | undefined)[]): string {
  const owner = Buffer.from(session.key).toString('base64url', 0, 6);
  return `W/"${owner}-${session.version.toString(36)}-${session.expiresAt.toString(36)}-${range.join('.')}"`;
}

/** Weak comparison. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}
