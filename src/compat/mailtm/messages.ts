// GET /messages and /messages/{id}, PATCH and DELETE of one, PUT /messages/{id}/read. Reading a message does not mark
// it read.

import { listMaxMessages } from '../../domain/limits.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import type { Answer } from '../../http/answers/answer.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import type { CompatApp, CompatCall, CompatContext } from '../dialect.ts';
import { parseMessageId, toMessageId } from './ids.ts';
import { toListItem, toMessage } from './message-views.ts';
import { readMembers } from './read-json.ts';
import { answerCollection, answerResource, jsonType, noContent, type Page, readPage } from './represent.ts';

type MessageContext = Pick<CompatContext, 'services'>;

export function addMessageRoutes(app: CompatApp, { services }: MessageContext): void {
  app.add({ method: 'GET', path: '/messages', serve: (call) => listMessages(services, call) });
  app.add({
    method: 'GET',
    path: '/messages/:id',
    async serve(call) {
      const { session, id } = await findAsked(call);
      const message = await services.loadMessage(session, id);
      if (message) return answerResource(call, await toMessage(session, message));
      throw messageNotFound();
    },
  });
  app.add({
    method: 'PATCH',
    path: '/messages/:id',
    serve: (call) => patchMessage(services, call),
  });
  app.add({
    method: 'PUT',
    path: '/messages/:id/read',
    async serve(call) {
      const { session, id } = await findAsked(call);
      await mark(services, session, { id, isRead: true });
      return { headers: { 'content-type': jsonType }, body: '{"seen":"read"}' };
    },
  });
  app.add({
    method: 'DELETE',
    path: '/messages/:id',
    async serve(call) {
      const { session, id } = await findAsked(call);
      await services.deleteMail(session, id);
      return noContent;
    },
  });
}

/** @throws MayflyError message_not_found, and those of `authenticate` */
export async function findAsked(
  call: CompatCall,
): Promise<{ readonly session: Session; readonly id: number }> {
  const { session } = await call.authenticate();
  return { session, id: parseMessageId(session, call.parameters['id'] ?? '') };
}

function messageNotFound(): MayflyError {
  return new MayflyError('message_not_found', 'The account has no message with this id.');
}

async function listMessages(services: MessageContext['services'], call: CompatCall): Promise<Answer> {
  const { session } = await call.authenticate();
  const page = readPage(call);
  const heads = await listPage(services, session, page);
  return answerCollection(call, {
    ...{ type: 'Message', path: '/messages', page, total: session.messageCount },
    members: heads.map((head) => toListItem(session, head)),
  });
}

/** Newest first. Where the page begins is found in all messages, in lists that are cached while nothing changes. */
async function listPage(
  services: Pick<MessageContext['services'], 'checkMail' | 'listHeads'>,
  session: Session,
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

async function patchMessage(services: MessageContext['services'], call: CompatCall): Promise<Answer> {
  const { session, id } = await findAsked(call);
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
}

async function mark(
  services: Pick<MessageContext['services'], 'markMail'>,
  session: Session,
  { id, isRead }: { readonly id: number; readonly isRead: boolean },
): Promise<void> {
  const marked = await services.markMail(session, { which: { ids: [id] }, isRead });
  if (marked.length === 0) throw messageNotFound();
}
