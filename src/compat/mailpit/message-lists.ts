// Lists and searches in Mailpit's format, and changes to many messages at once. Clients poll, so an answer is cached
// as sent until its session changes.

import type { Answer } from '#http-parts/answer';
import { eachMade, writeJson } from '#http-parts/slices';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import { type CompatContext, type SessionCall, sessionRoute } from '../dialect.ts';
import { jsonHeaders, ok } from './answers.ts';
import { findMatches } from './find-matches.ts';
import { MailpitIds } from './ids.ts';
import { listAllHeads } from '../list-all.ts';
import { toSummaryView } from './mailpit-views.ts';
import { parseSearch } from './parse-search.ts';
import { allTagsOf } from './tags.ts';
import { readFields, readIds } from './read-fields.ts';

const defaultLimit = 50;
/** The size of a cached answer besides its bytes. */
const entryBytes = 512;

export const listRoutes = [
  sessionRoute(
    'GET /api/v1/messages',
    'newest first, by `start` and `limit`',
    ({ services }, { live, query }) => {
      const page = readPage(query);
      return answerCached(services, live, {
        name: `mailpit ${page.start} ${page.limit}`,
        make: async () => {
          const heads = await listAllHeads(services, live.session);
          return toListView(live.session, { heads, matching: heads, page });
        },
      });
    },
  ),
  sessionRoute('GET /api/v1/search', 'the whole search language except tags, with `tz`', search),
  sessionRoute('DELETE /api/v1/search', 'deletes the matches', async ({ services }, call) => {
    const { session } = call.live;
    const terms = parseSearch(readQuery(call), timeZoneOf(call));
    if (terms.length === 0) throw noQuery();
    const found = await findMatches(services, session, terms);
    const ids = found.map(({ listed }) => listed.id);
    await services.deleteMessages(session, ids);
    return ok;
  }),
  sessionRoute(
    'PUT /api/v1/messages',
    'marks them `Read`, by `IDs`, by `Search`, or all of the session; as JSON or a form',
    setReadStatus,
  ),
  sessionRoute(
    'DELETE /api/v1/messages',
    'by `IDs`, or all of the session; the body is empty',
    async ({ services }, call) => {
      const { session } = call.live;
      const ids = readIds(readFields(call), new MailpitIds(session));
      if (ids) await services.deleteMessages(session, ids);
      else await services.deleteMatching(session, {});
      // MailHog has this route too, and its clients parse any body as JSON.
      return { headers: jsonHeaders, body: '' };
    },
  ),
];

async function search({ services }: CompatContext, call: SessionCall): Promise<Answer> {
  const { live } = call;
  const query = readQuery(call);
  const timeZone = timeZoneOf(call);
  const terms = parseSearch(query, timeZone);
  const page = readPage(call.query);
  return answerCached(services, live, {
    name: `mailpit ${page.start} ${page.limit} ${timeZone} ${query}`,
    make: async () => {
      const heads = await listAllHeads(services, live.session);
      const matching = await findMatches(services, live.session, terms);
      return toListView(live.session, { heads, matching, page });
    },
  });
}

async function setReadStatus({ services }: CompatContext, call: SessionCall): Promise<Answer> {
  const { session } = call.live;
  const fields = readFields(call);
  if (fields.size === 0 && call.body.length === 0) {
    throw new MayflyError('malformed_body', 'The body is empty; send {"Read": true} or {"Read": false}.');
  }
  const isRead = readFlag(fields.get('read'));
  const ids = readIds(fields, new MailpitIds(session));
  const query = fields.get('search') ?? '';
  if (typeof query !== 'string') throw new MayflyError('invalid_parameter', 'Search must be a string.');
  if (ids && query !== '') {
    throw new MayflyError('conflicting_parameters', 'Give either IDs or a search, not both.');
  }
  const found =
    query === '' ? undefined : await findMatches(services, session, parseSearch(query, timeZoneOf(call)));
  const wanted = ids ?? found?.map(({ listed }) => listed.id);
  const which = wanted ? { ids: wanted } : { filter: {} };
  await services.markMail(session, { which, isRead });
  return ok;
}

/** @throws MayflyError for an empty search, which would match everything and is a mistake here */
function readQuery({ query }: SessionCall): string {
  const text = query.get('query')?.trim() ?? '';
  if (text === '') throw noQuery();
  return text;
}

function timeZoneOf({ query }: SessionCall): string {
  return query.get('tz') ?? '';
}

function noQuery(): MayflyError {
  return new MayflyError('missing_parameter', 'Error: no search query', { parameter: 'query' });
}

function readFlag(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|1|false|0)$/i.test(value)) return /^(?:true|1)$/i.test(value);
  throw new MayflyError('invalid_parameter', 'Read must be true or false.');
}

interface Page {
  readonly start: number;
  readonly limit: number;
}

/** Ignores invalid numbers, as Mailpit does. */
function readPage(query: URLSearchParams): Page {
  const number = (name: string): number => {
    const text = query.get(name) ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : 0;
  };
  return { start: number('start'), limit: number('limit') || defaultLimit };
}

interface Listing {
  readonly heads: readonly MessageHead[];
  readonly matching: readonly MessageHead[];
  readonly page: Page;
}

function toListView(
  session: Session,
  { heads, matching, page: { start, limit } }: Listing,
): { view: object; isFinal: boolean } {
  const ids = new MailpitIds(session);
  const shown = matching.slice(start, start + limit);
  const view = {
    total: heads.length,
    unread: countUnread(heads),
    count: shown.length,
    messages_count: matching.length,
    messages_unread: countUnread(matching),
    start,
    tags: allTagsOf(heads),
    messages: eachMade(shown, (head) => toSummaryView(head, ids)),
  };
  return { view, isFinal: shown.every(({ listed }) => listed.isProvisional !== true) };
}

function countUnread(heads: readonly MessageHead[]): number {
  return heads.filter(({ listed }) => !listed.isRead).length;
}

interface Kept {
  readonly name: string;
  readonly make: () => Promise<{ readonly view: object; readonly isFinal: boolean }>;
}

async function answerCached(
  { answers }: Pick<CompatContext['services'], 'answers'>,
  { session, now }: LiveSession,
  { name, make }: Kept,
): Promise<Answer> {
  const kept = answers.get(session.key, name);
  if (kept?.version === session.version) return { headers: jsonHeaders, body: kept.body };
  const { body } = await answers.make(session.key, name, async () => {
    const { view, isFinal } = await make();
    const value = { body: await writeJson(view), madeAt: now, version: session.version };
    return { value, weight: isFinal ? value.body.length + entryBytes : Infinity };
  });
  return { headers: jsonHeaders, body };
}
