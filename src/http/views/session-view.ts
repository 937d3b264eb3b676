// Shows the expiry of a session to its holder.

import type { Session } from '../../domain/session.ts';
import { formatTimestamp, secondsLeft } from '#values/timestamp';

/** `now`: the store's clock, ms since 1970. */
export function toExpiry(session: Session, now: number): { expires_at: string; expires_in: number } {
  return { expires_at: formatTimestamp(session.expiresAt), expires_in: secondsLeft(session.expiresAt, now) };
}
