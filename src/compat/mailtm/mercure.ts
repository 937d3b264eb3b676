// GET /.well-known/mercure: the session's log as updates of Mercure (https://mercure.rocks/spec), resumed by
// Last-Event-ID. The update of a message is followed by one of its account, as from the real hub.

import { stringifyWellFormed } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { createEventStream, eventStreamHeaders, parseEventId } from '../../http/operations/event-stream.ts';
import { describeFault } from '../../http/answers/error-answer.ts';
import type { LogEntry } from '../../service/search/read-log.ts';
import type { Services } from '../../service/services.ts';
import type { SessionRoute } from '../dialect.ts';
import { toAccount } from './accounts.ts';
import { toAccountId } from './ids.ts';
import { toDeleted, toListItem } from './message-views.ts';
import { type Resource, toLinkedData } from './represent.ts';
import { type OpenSession, stillOpen } from '../../service/session/session-access.ts';

export const mercureRoute: SessionRoute = {
  access: 'session',
  method: 'GET',
  path: '/.well-known/mercure',
  summary:
    'the stream of `topic=/accounts/{id}`: a `Message` when one arrives, is seen or is deleted, and an `Account` ' +
    'after each; resumed by `Last-Event-ID`. The token comes from the credentials or `authorization`',
  tokenOf: ({ query }) => query.get('authorization') || undefined,
  run: ({ services, log }, { live: { session }, headers, query, caller: { network } }) => {
    requireTopic(query, session);
    services.expectMail(session);
    const lastSeen = headers['last-event-id'] ?? query.get('lastEventID') ?? undefined;
    const position = parseEventId(lastSeen?.toString()) ?? session.seq;
    const body = createEventStream({
      services,
      session,
      network,
      position,
      format: (entries) => toUpdates(services, session, entries),
      onFault: (error) => {
        log.error('http.stream_failed', { ...describeFault(error) });
      },
    });
    return { headers: eventStreamHeaders(position), body };
  },
};

/** @throws MayflyError missing_parameter, not_found */
function requireTopic(query: URLSearchParams, session: OpenSession): void {
  const topics = query.getAll('topic');
  if (topics.length === 0) throw new MayflyError('missing_parameter', 'Missing "topic" parameter.');
  const own = `/accounts/${toAccountId(session)}`;
  // A topic may be a whole URL, or a wildcard.
  if (topics.some((topic) => topic === '*' || topic === own || topic.endsWith(own))) return;
  throw new MayflyError('not_found', `The topic has to be ${own}.`);
}

async function toUpdates(
  services: Services,
  reader: OpenSession,
  entries: readonly LogEntry[],
): Promise<string> {
  const lookup = await services.findSession(reader.key);
  // The session has ended: nothing can be shown, and the stream ends.
  if (lookup.state !== 'live') return '';
  const session = stillOpen(lookup.session, reader);
  const account = toAccount(session, services.limits.sessionBytes);
  const texts = await Promise.all(
    entries.map(async (entry) => {
      const update = await toUpdate(services, session, entry);
      return (update ? format(entry.seq, update) : '') + format(entry.seq, account);
    }),
  );
  return texts.join('');
}

/** Returns undefined for entries that only update the account. A message marked unread would look like a new one. */
async function toUpdate(
  services: Services,
  session: OpenSession,
  entry: LogEntry,
): Promise<Resource | undefined> {
  switch (entry.kind) {
    case 'message.received':
      return showAs(services, session, { id: entry.message.id, isRead: false });
    case 'message.read':
      return showAs(services, session, { id: entry.messageId, isRead: true });
    case 'message.deleted':
      return toDeleted(session, entry.messageId, services.now());
    default:
      return undefined;
  }
}

/** Resolves with undefined when the message has gone meanwhile. */
async function showAs(
  services: Services,
  session: OpenSession,
  { id, isRead }: { readonly id: number; readonly isRead: boolean },
): Promise<Resource | undefined> {
  const [head] = await services.listHeads(session, { before: id + 1, limit: 1 });
  if (head?.listed.id !== id) return undefined;
  return toListItem(session, { ...head, listed: { ...head.listed, isRead } });
}

/** Without an event name: clients listen for `message`. */
function format(seq: number, resource: Resource): string {
  return `id: ${seq}\ndata: ${stringifyWellFormed(toLinkedData(resource))}\n\n`;
}
