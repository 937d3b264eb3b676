// The session and network that work on the shared threads is counted for.

import { type Session, toKeyText } from '../domain/session.ts';
import type { TurnOwner } from '../threads/fair-queue.ts';

export function turnOwner({ key, askedFrom }: Session): TurnOwner {
  const session = toKeyText(key);
  return { session, network: askedFrom ?? session };
}

/** Counts for the session as requested from one network. */
export function askedBy(session: Session, network: string | undefined): Session {
  return network === undefined ? session : { ...session, askedFrom: network };
}
