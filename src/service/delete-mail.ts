// Deletes one message: gone for every reader at the commit. That it came stays in the delivery log.

import type { Session } from '../domain/session.ts';
import type { ParsedMessage } from '../mime/parsed.ts';
import type { MailStore } from '../store/mail-store.ts';
import { sealAcceptedAttempt } from './delivery-log.ts';
import type { LruCache } from './lru-cache.ts';
import { parsedKey } from './parsed-key.ts';
import { messageNotFound } from './read-mail.ts';
import { forgetSafeHtml, type SafeHtmlDeps } from './safe-html.ts';

/** @throws MayflyError message_not_found */
export async function deleteMail(
  deps: {
    readonly mail: MailStore;
    readonly parsedMessages: LruCache<ParsedMessage>;
  } & Pick<SafeHtmlDeps, 'safeHtml'>,
  session: Session,
  id: number,
): Promise<void> {
  const message = await deps.mail.findMessage(session.key, id);
  const isDeleted =
    message !== undefined &&
    (await deps.mail.deleteMessage(session.key, id, sealAcceptedAttempt(session, message)));
  deps.parsedMessages.delete(parsedKey(session, id));
  forgetSafeHtml(deps, session, id);
  if (!isDeleted) throw messageNotFound();
}
