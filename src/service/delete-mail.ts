// Deletes one message: gone for every reader at the commit.

import type { Session } from '../domain/session.ts';
import type { ParsedMessage } from '../mime/parsed.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { LruCache } from './lru-cache.ts';
import { messageNotFound, parsedKey } from './read-mail.ts';

/** @throws MayflyError message_not_found */
export async function deleteMail(
  deps: { readonly mail: MailStore; readonly parsedMessages: LruCache<ParsedMessage> },
  session: Session,
  id: number,
): Promise<void> {
  const isDeleted = await deps.mail.deleteMessage(session.key, id);
  deps.parsedMessages.delete(parsedKey(session, id));
  if (!isDeleted) throw messageNotFound();
}
