// Routes for lists, searches, single messages and their deletion.

import { unlessDeleted } from '../../domain/gone.ts';
import { ownRecipients } from '../../domain/addresses/own-recipients.ts';
import type { Session } from '../../domain/session.ts';
import type { Answer } from '../../http/answers/answer.ts';
import { writeJson } from '../../http/answers/slices.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import { SearchEffort } from '../../service/session/search-effort.ts';
import type { Services } from '../../service/services.ts';
import type { CompatApp, CompatCall, CompatContext } from '../dialect.ts';
import { listAllHeads } from '../list-all.ts';
import { originOf } from '../origin.ts';
import { parseMessageId } from './ids.ts';
import { checkServer, parseListQuery, parseTimeout } from './list-query.ts';
import { toMessageView, toSummaryView } from './message-views.ts';
import { parseSearchCriteria } from './search-criteria.ts';
import { readAtOnce, searchHoldMs, searchMessages } from './search-messages.ts';
import { toServerId } from './server-id.ts';

const noContent: Answer = { status: 204, body: null };

export function addMessageRoutes(app: CompatApp, { services }: Pick<CompatContext, 'services'>): void {
  app.add({ method: 'GET', path: '/api/messages', serve: (call) => list(services, call) });
  app.add({ method: 'DELETE', path: '/api/messages', serve: (call) => deleteAll(services, call) });
  app.add({ method: 'POST', path: '/api/messages/search', serve: (call) => search(services, call) });
  app.add({ method: 'POST', path: '/api/messages/await', serve: (call) => awaitMessage(services, call) });
  app.add({
    method: 'GET',
    path: '/api/messages/:id',
    async serve(call) {
      const { session } = await call.authenticate();
      return show(services, call, { session, id: idOf(call, session) });
    },
  });
  app.add({
    method: 'DELETE',
    path: '/api/messages/:id',
    async serve(call) {
      const { session } = await call.authenticate();
      await services.deleteMail(session, idOf(call, session));
      return noContent;
    },
  });
}

async function list(services: Services, call: CompatCall): Promise<Answer> {
  const { session } = await call.authenticate();
  const { page, itemsPerPage, receivedAfter = -Infinity, wantsSent } = queryOf(call, session);
  const all = wantsSent ? [] : await listAllHeads(services, session);
  const wanted = all.filter(({ listed }) => listed.receivedAt >= receivedAfter);
  return {
    body: await writeList(services, session, wanted.slice(page * itemsPerPage, (page + 1) * itemsPerPage)),
  };
}

async function deleteAll(services: Services, call: CompatCall): Promise<Answer> {
  const { session } = await call.authenticate();
  checkServer(call.query, toServerId(session));
  await services.deleteMatching(session, {});
  return noContent;
}

async function search(services: Services, call: CompatCall): Promise<Answer> {
  const { session } = await call.authenticate();
  const query = queryOf(call, session);
  const criteria = parseSearchCriteria(call.body);
  const request = { session, criteria, query, holdMs: searchHoldMs, asker: call.caller };
  const { heads, delayMs } = await searchMessages(services, request);
  return {
    headers: heads.length === 0 ? { 'x-ms-delay': String(delayMs) } : {},
    body: await writeList(services, session, heads),
  };
}

/** Used by older clients to wait: returns the first match in full. */
async function awaitMessage(services: Services, call: CompatCall): Promise<Answer> {
  const { session } = await call.authenticate();
  const query = { ...queryOf(call, session), page: 0, itemsPerPage: 1 };
  const criteria = parseSearchCriteria(call.body);
  const holdMs = parseTimeout(call.query);
  const request = { session, criteria, query, holdMs, asker: call.caller };
  const [found] = (await searchMessages(services, request)).heads;
  return found ? show(services, call, { session, id: found.listed.id }) : noContent;
}

async function show(
  services: Services,
  call: CompatCall,
  { session, id }: { readonly session: Session; readonly id: number },
): Promise<Answer> {
  const mail = await services.loadParsedMail(session, id);
  const contents = await services.readContents(session, mail.parsed);
  const recipients = ownRecipients(mail.meta.envelope.rcptTo, session.address);
  const server = toServerId(session);
  return {
    body: await writeJson(toMessageView({ mail, contents, recipients, server, origin: originOf(call) })),
  };
}

function queryOf(call: CompatCall, session: Session): ReturnType<typeof parseListQuery> {
  return parseListQuery(call.query, toServerId(session));
}

function idOf(call: CompatCall, session: Session): number {
  return parseMessageId(call.parameters['id'] ?? '', toServerId(session));
}

async function writeList(
  services: Services,
  session: Session,
  heads: readonly MessageHead[],
): Promise<Buffer> {
  const server = toServerId(session);
  const items: object[] = [];
  const effort = new SearchEffort(session);
  for (let at = 0; at < heads.length; at += readAtOnce) {
    await effort.spend();
    const some = heads.slice(at, at + readAtOnce);
    const counts = await Promise.all(some.map((head) => countAttachments(services, session, head)));
    items.push(...some.map((head, i) => toSummaryView(head, server, counts[i] ?? 0)));
  }
  return writeJson({ items });
}

/** Mail without parts has none. */
async function countAttachments(
  services: Services,
  session: Session,
  { listed: { id }, fields, attachmentCount }: MessageHead,
): Promise<number> {
  const type = fields.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  if (!/^\s*multipart\//i.test(type)) return attachmentCount;
  const mail = await unlessDeleted(services.loadParsedMail(session, id));
  return mail?.parsed.attachments.length ?? attachmentCount;
}
