// Deletes messages, which disappear for every reader at the commit. The delivery log still records their arrival.

import type { CheckMailDeps } from '../mail/check-mail.ts';
import { sealAcceptedAttempt } from '../records/delivery-log.ts';
import { findMessages, type MatchDeps } from '../search/find-messages.ts';
import { inSlices } from './in-slices.ts';
import type { MessageFilter } from '../search/message-filter.ts';
import { messageNotFound } from '../../domain/gone.ts';
import { deleteSafeHtml } from '../mail/safe-html.ts';
import type { SessionCaches } from '../mail/session-caches.ts';
import type { OpenSession } from '../session/session-access.ts';

export type DeleteDeps = Pick<CheckMailDeps, 'mail'> &
  Pick<SessionCaches, 'parsedMessages' | 'safeHtml' | 'answers' | 'heads'>;

/** @throws MayflyError message_not_found */
export async function deleteMail(deps: DeleteDeps, session: OpenSession, id: number): Promise<void> {
  if (!(await deleteOne(deps, session, id))) throw messageNotFound();
}

/**
 * Deletes all messages that match now; an empty filter matches every one. Returns their ids, newest first.
 * @throws MayflyError unavailable
 */
export async function deleteMatching(
  deps: DeleteDeps & CheckMailDeps & MatchDeps,
  session: OpenSession,
  filter: MessageFilter,
): Promise<number[]> {
  const found = await findMessages(deps, session, filter);
  return inSlices(
    found.map(({ id }) => id),
    (id) => deleteOne(deps, session, id),
  );
}

/** Deletes those that exist; returns their ids. */
export function deleteMessages(
  deps: DeleteDeps,
  session: OpenSession,
  ids: readonly number[],
): Promise<number[]> {
  return inSlices([...new Set(ids)], (id) => deleteOne(deps, session, id));
}

/** Resolves with false when it is already gone. */
async function deleteOne(deps: DeleteDeps, session: OpenSession, id: number): Promise<boolean> {
  const message = await deps.mail.findMessage(session.key, id);
  const isDeleted =
    message !== undefined &&
    (await deps.mail.deleteMessage(session.key, id, sealAcceptedAttempt(session, message)));
  deps.parsedMessages.delete(session.key, String(id));
  deps.answers.delete(session.key, String(id));
  deps.heads.delete(session.key, String(id));
  deleteSafeHtml(deps, session, id);
  return isDeleted;
}
