// The name under which what is made of a message is kept in memory. Used by the caches of parsed and sanitised mail.

import type { Session } from '../domain/session.ts';

export function parsedKey(session: Session, id: number): string {
  return `${Buffer.from(session.key).toString('latin1')}${id}`;
}
