// Lists all of a session's messages with facts from their headers, however many there are.

import { listMaxMessages } from '../../domain/limits.ts';
import type { Session } from '../../domain/session.ts';
import type { MessageHead } from '../../service/message-heads.ts';
import type { Services } from '../../service/services.ts';

/** Newest first. */
export async function listAllHeads(
  services: Pick<Services, 'listHeads'>,
  session: Session,
): Promise<readonly MessageHead[]> {
  const first = await services.listHeads(session);
  if (session.messageCount <= listMaxMessages) return first;
  const all = [...first];
  for (let page = first; page.length > 0; all.push(...page)) {
    page = await services.listHeads(session, { before: all.at(-1)?.listed.id });
  }
  return all;
}
