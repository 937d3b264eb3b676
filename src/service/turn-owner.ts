// Whose turn at the shared threads a piece of work takes.

import { type Session, toKeyText } from '../domain/session.ts';
import type { TurnOwner } from '../threads/fair-queue.ts';

export function turnOwner({ key, askedFrom }: Session): TurnOwner {
  const session = toKeyText(key);
  return { session, network: askedFrom ?? session };
}

/** The session as one network asks for it. */
export function askedBy(session: Session, network: string | undefined): Session {
  return network === undefined ? session : { ...session, askedFrom: network };
}
