// Lists all of a session's messages, however many there are: one list of the services is cut after a thousand.

import { listMaxMessages } from '../domain/limits.ts';
import type { ListedMessage } from '../service/mail/check-mail.ts';
import type { MessageHead } from '../service/mail/message-heads.ts';
import type { Services } from '../service/services.ts';
import type { OpenSession } from '../service/session/session-access.ts';

/** With facts from their headers, newest first. */
export function listAllHeads(
  services: Pick<Services, 'listHeads'>,
  session: OpenSession,
): Promise<readonly MessageHead[]> {
  return listAll(session, {
    list: (before) => services.listHeads(session, { before }),
    idOf: ({ listed }) => listed.id,
  });
}

/** Newest first. */
export function listAllMessages(
  services: Pick<Services, 'checkMail'>,
  session: OpenSession,
): Promise<readonly ListedMessage[]> {
  return listAll(session, {
    list: (before) => services.checkMail(session, { before }),
    idOf: ({ id }) => id,
  });
}

interface Lists<T> {
  /** Returns those with an id below, newest first. */
  readonly list: (before: number | undefined) => Promise<readonly T[]>;
  readonly idOf: (entry: T) => number;
}

async function listAll<T>(
  { messageCount }: Pick<OpenSession, 'messageCount'>,
  { list, idOf }: Lists<T>,
): Promise<readonly T[]> {
  const first = await list(undefined);
  if (messageCount <= listMaxMessages) return first;
  const all = [...first];
  for (let page = first; page.length > 0; all.push(...page)) {
    const last = all.at(-1);
    page = last === undefined ? [] : await list(idOf(last));
  }
  return all;
}
