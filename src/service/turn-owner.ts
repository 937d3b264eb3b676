// The session and network to which work on the shared threads is charged.

import { type Session, toKeyText } from '../domain/session.ts';
import type { TurnOwner } from '../threads/fair-queue.ts';

export function turnOwner({ key, requesterNetwork }: Session): TurnOwner {
  const session = toKeyText(key);
  return { session, network: requesterNetwork ?? session };
}

/** Returns the session with its work charged to the requesting network. */
export function withRequester(session: Session, network: string | undefined): Session {
  return network === undefined ? session : { ...session, requesterNetwork: network };
}
