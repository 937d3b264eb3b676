// Deletes one message: gone for every reader at the commit. That it came stays in the delivery log.

import type { Session } from '../domain/session.ts';
import type { MailStore } from '../store/mail-store.ts';
import { sealAcceptedAttempt } from './delivery-log.ts';
import { messageNotFound } from './read-mail.ts';
import { forgetSafeHtml } from './safe-html.ts';
import type { SessionCaches } from './session-caches.ts';

/** @throws MayflyError message_not_found */
export async function deleteMail(
  deps: {
    readonly mail: MailStore;
  } & Pick<SessionCaches, 'parsedMessages' | 'safeHtml' | 'answers'>,
  session: Session,
  id: number,
): Promise<void> {
  const message = await deps.mail.findMessage(session.key, id);
  const isDeleted =
    message !== undefined &&
    (await deps.mail.deleteMessage(session.key, id, sealAcceptedAttempt(session, message)));
  deps.parsedMessages.delete(session.key, String(id));
  deps.answers.delete(session.key, String(id));
  forgetSafeHtml(deps, session, id);
  if (!isDeleted) throw messageNotFound();
}
