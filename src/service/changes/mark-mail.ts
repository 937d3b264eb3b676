// Marks messages read or unread without reading them. The session's other readers are notified through its log.

import type { CheckMailDeps } from '../mail/check-mail.ts';
import { findMessages, type MatchDeps } from '../search/find-messages.ts';
import { inSlices } from './in-slices.ts';
import type { MessageFilter } from '../search/message-filter.ts';
import type { SessionCaches } from '../mail/session-caches.ts';
import type { OpenSession } from '../session/session-access.ts';

export interface MarkRequest {
  /** Selects messages by id, or all that match now; an empty filter matches every one. */
  readonly which: { readonly ids: readonly number[] } | { readonly filter: MessageFilter };
  readonly isRead: boolean;
}

/**
 * Returns the ids of those that exist, whether or not they were already marked so.
 * @throws MayflyError unavailable
 */
export async function markMail(
  deps: CheckMailDeps & MatchDeps & Pick<SessionCaches, 'answers'>,
  session: OpenSession,
  { which, isRead }: MarkRequest,
): Promise<number[]> {
  const ids =
    'ids' in which
      ? [...new Set(which.ids)]
      : (await findMessages(deps, session, which.filter)).map(({ id }) => id);
  return inSlices(ids, async (id) => {
    const isThere = await deps.mail.setRead(session.key, id, isRead);
    // A cached answer would not mark the message read again.
    deps.answers.delete(session.key, String(id));
    return isThere;
  });
}
