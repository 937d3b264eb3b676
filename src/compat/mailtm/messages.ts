// GET /messages and /messages/{id}, PATCH and DELETE of one, PUT /messages/{id}/read. Reading a message does not mark
// it read.

import { listMaxMessages } from '../../domain/limits.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import type { Services } from '../../service/services.ts';
import { type SessionCall, sessionRoute } from '../dialect.ts';
import { parseMessageId, toMessageId } from './ids.ts';
import { toListItem, toMessage } from './message-views.ts';
import { readMembers } from './read-json.ts';
import { answerCollection, answerResource, jsonType, noContent, type Page, readPage } from './represent.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

export const messageRoutes = [
  sessionRoute('GET /messages', '30 per page, newest first, by `page`', async ({ services }, call) => {
    const { session } = call.live;
    const page = readPage(call);
    const heads = await listPage(services, session, page);
    return answerCollection(call, {
      type: 'Message',
      path: '/messages',
      page,
      total: session.messageCount,
      members: heads.map((head) => toListItem(session, head)),
    });
  }),
  sessionRoute('GET /messages/:id', 'the full message, not marked seen', async ({ services }, call) => {
    const { session } = call.live;
    const message = await services.loadMessage(session, readId(call));
    if (message) return answerResource(call, await toMessage(session, message));
    throw messageNotFound();
  }),
  sessionRoute(
    'PATCH /messages/:id',
    'marks it seen or unseen by `seen`; without a body, seen',
    async ({ services }, call) => {
      const { session } = call.live;
      const id = readId(call);
      const { seen } = readMembers(call) as { seen?: unknown };
      if (seen !== undefined && typeof seen !== 'boolean') {
        throw new MayflyError('invalid_parameter', 'The type of the "seen" attribute must be "bool".');
      }
      // Some clients send no body, because this request has a single use.
      const isRead = call.body.length === 0 ? true : seen;
      if (isRead !== undefined) await mark(services, session, { id, isRead });
      const listed = isRead === undefined ? await services.findListedMessage(session, id) : { isRead };
      if (!listed) throw messageNotFound();
      const path = `/messages/${toMessageId(session, id)}`;
      return answerResource(call, { type: 'Message', path, fields: { seen: listed.isRead } });
    },
  ),
  sessionRoute('PUT /messages/:id/read', 'marks it seen', async ({ services }, call) => {
    await mark(services, call.live.session, { id: readId(call), isRead: true });
    return { headers: { 'content-type': jsonType }, body: '{"seen":"read"}' };
  }),
  sessionRoute('DELETE /messages/:id', 'deletes it', async ({ services }, call) => {
    await services.deleteMail(call.live.session, readId(call));
    return noContent;
  }),
];

/** Returns the number of the message that the path names. @throws MayflyError message_not_found */
export function readId({ live: { session }, parameters }: SessionCall): number {
  return parseMessageId(session, parameters['id'] ?? '');
}

function messageNotFound(): MayflyError {
  return new MayflyError('message_not_found', 'The account has no message with this id.');
}

/** Newest first. Where the page begins is found in all messages, in lists that are cached while nothing changes. */
async function listPage(
  services: Pick<Services, 'checkMail' | 'listHeads'>,
  session: OpenSession,
  { first, size }: Page,
): Promise<readonly MessageHead[]> {
  if (first >= session.messageCount) return [];
  if (first === 0) return services.listHeads(session, { limit: size });
  let [skip, before] = [first, undefined as number | undefined];
  for (;;) {
    const messages = await services.checkMail(session, { before });
    const begin = messages[skip];
    if (begin) return services.listHeads(session, { before: begin.id + 1, limit: size });
    before = messages.at(-1)?.id;
    if (before === undefined || messages.length < listMaxMessages) return [];
    skip -= listMaxMessages;
  }
}

async function mark(
  services: Pick<Services, 'markMail'>,
  session: OpenSession,
  { id, isRead }: { readonly id: number; readonly isRead: boolean },
): Promise<void> {
  const marked = await services.markMail(session, { which: { ids: [id] }, isRead });
  if (marked.length === 0) throw messageNotFound();
}
