// Marks messages read or unread without reading them. Other readers of the session hear of it by its log.

import type { Session } from '../domain/session.ts';
import type { CheckMailDeps } from './check-mail.ts';
import { findMessages, type MatchDeps } from './find-messages.ts';
import { inSlices } from './in-slices.ts';
import type { MessageFilter } from './message-filter.ts';
import type { SessionCaches } from './session-caches.ts';

export interface MarkRequest {
  /** Which messages: by their ids, or all that match now; an empty filter means every one. */
  readonly which: { readonly ids: readonly number[] } | { readonly filter: MessageFilter };
  readonly isRead: boolean;
}

/**
 * Returns the ids of those that are there, whether they were so marked already or not.
 * @throws MayflyError unavailable
 */
export async function markMail(
  deps: CheckMailDeps & MatchDeps & Pick<SessionCaches, 'answers'>,
  session: Session,
  { which, isRead }: MarkRequest,
): Promise<number[]> {
  const ids =
    'ids' in which
      ? [...new Set(which.ids)]
      : (await findMessages(deps, session, which.filter)).map(({ id }) => id);
  return inSlices(ids, async (id) => {
    const isThere = await deps.mail.setRead(session.key, id, isRead);
    // An answer that is given again marks nothing.
    deps.answers.delete(session.key, String(id));
    return isThere;
  });
}
