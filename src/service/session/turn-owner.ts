// The session and network to which work on the shared threads is charged.

import type { TurnOwner } from '#networks/fair-queue';
import { type Requester, type Session, toKeyText } from '../../domain/session.ts';

/** For work whose result is kept, for any caller who asked first. */
export function turnOwner({ key, requester }: Session): TurnOwner {
  const session = toKeyText(key);
  return { session, network: requester?.network ?? session };
}

/** For work that is given up when its caller has gone. */
export function requesterOf(session: Session): TurnOwner {
  return { ...turnOwner(session), signal: session.requester?.gone };
}

/** Returns the session with its work charged to the requesting network. */
export function withRequester<S extends Session>(session: S, { network, gone }: Requester): S {
  return { ...session, requester: { network, gone } };
}
