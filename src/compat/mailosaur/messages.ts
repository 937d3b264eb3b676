// Routes for lists, searches, single messages and their deletion.

import type { Answer } from '#http-parts/answer';
import { writeJson } from '#http-parts/slices';
import { unlessDeleted } from '../../domain/gone.ts';
import { ownRecipients } from '../../domain/addresses/capture.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import { SearchEffort } from '../../service/session/search-effort.ts';
import type { Services } from '../../service/services.ts';
import { type SessionCall, sessionRoute } from '../dialect.ts';
import { listAllHeads } from '../list-all.ts';
import { originOf } from '../origin.ts';
import { parseMessageId } from './ids.ts';
import { checkServer, type ListQuery, parseListQuery, parseTimeout } from './list-query.ts';
import { toMessageView, toSummaryView } from './message-views.ts';
import { parseSearchCriteria } from './search-criteria.ts';
import {
  readAtOnce,
  searchHoldMs,
  searchMessages,
  type SearchRequest,
  type SearchResult,
} from './search-messages.ts';
import { toServerId } from './server-id.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

const noContent: Answer = { status: 204, body: null };

export const messageRoutes = [
  sessionRoute(
    'GET /api/messages',
    'newest first, by `page`, `itemsPerPage` (1,000 at most), `receivedAfter`',
    async ({ services }, call) => {
      const { session } = call.live;
      const { page, itemsPerPage, receivedAfter = -Infinity, wantsSent } = queryOf(call);
      const all = wantsSent ? [] : await listAllHeads(services, session);
      const wanted = all.filter(({ listed }) => listed.receivedAt >= receivedAfter);
      const shown = wanted.slice(page * itemsPerPage, (page + 1) * itemsPerPage);
      return { body: await writeList(services, session, shown) };
    },
  ),
  sessionRoute('DELETE /api/messages', 'deletes all', async ({ services }, { live: { session }, query }) => {
    checkServer(query, toServerId(session));
    await services.deleteMatching(session, {});
    return noContent;
  }),
  sessionRoute(
    'POST /api/messages/search',
    'matching messages, by the same parameters',
    async ({ services }, call) => {
      const query = queryOf(call);
      const { heads, delayMs } = await search(services, call, { query, holdMs: searchHoldMs });
      return {
        headers: heads.length === 0 ? { 'x-ms-delay': String(delayMs) } : {},
        body: await writeList(services, call.live.session, heads),
      };
    },
  ),
  // Used by older clients to wait.
  sessionRoute(
    'POST /api/messages/await',
    'the first match in full, within `timeout` ms; 204 if none',
    async ({ services }, call) => {
      const query = { ...queryOf(call), page: 0, itemsPerPage: 1 };
      const { heads } = await search(services, call, { query, holdMs: parseTimeout(call.query) });
      const [found] = heads;
      return found ? show(services, call, found.listed.id) : noContent;
    },
  ),
  sessionRoute('GET /api/messages/:id', 'one message', ({ services }, call) =>
    show(services, call, idOf(call)),
  ),
  sessionRoute('DELETE /api/messages/:id', 'deletes it', async ({ services }, call) => {
    await services.deleteMail(call.live.session, idOf(call));
    return noContent;
  }),
];

function search(
  services: Services,
  { live: { session }, body, caller: asker }: SessionCall,
  asked: Pick<SearchRequest, 'query' | 'holdMs'>,
): Promise<SearchResult> {
  return searchMessages(services, { session, criteria: parseSearchCriteria(body), asker, ...asked });
}

async function show(services: Services, call: SessionCall, id: number): Promise<Answer> {
  const { session } = call.live;
  const mail = await services.loadParsedMail(session, id);
  const contents = await services.readContents(session, mail.parsed);
  const recipients = ownRecipients(mail.meta.envelope.rcptTo, session.address);
  const server = toServerId(session);
  return {
    body: await writeJson(toMessageView({ mail, contents, recipients, server, origin: originOf(call) })),
  };
}

function queryOf({ live, query }: SessionCall): ListQuery {
  return parseListQuery(query, toServerId(live.session));
}

function idOf({ live, parameters }: SessionCall): number {
  return parseMessageId(parameters['id'] ?? '', toServerId(live.session));
}

async function writeList(
  services: Services,
  session: OpenSession,
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
  session: OpenSession,
  { listed: { id }, fields, attachmentCount }: MessageHead,
): Promise<number> {
  const type = fields.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  if (!/^\s*multipart\//i.test(type)) return attachmentCount;
  const mail = await unlessDeleted(services.loadParsedMail(session, id));
  return mail?.parsed.attachments.length ?? attachmentCount;
}
