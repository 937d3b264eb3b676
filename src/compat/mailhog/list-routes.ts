// Routes that list full messages, and search them. Called by mailhog.ts.

import type { Answer } from '#http-parts/answer';
import { MayflyError, unavailable } from '../../domain/mayfly-error.ts';
import type { ListedMessage } from '../../service/mail/check-mail.ts';
import { SearchEffort } from '../../service/session/search-effort.ts';
import { requesterOf } from '../../service/session/turn-owner.ts';
import { FairLane } from '#networks/fair-lane';
import type { Services } from '../../service/services.ts';
import { type CompatCall, type SessionCall, sessionRoute } from '../dialect.ts';
import { unlessDeleted } from '../../domain/gone.ts';
import { listAllMessages } from '../list-all.ts';
import { type Piece, toJsonBody } from './json-pieces.ts';
import { matchesQuery, type Query } from './matches-query.ts';
import { writeMessage } from './message-json.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

const pageDefault = 50;
const pageMax = 250;
const queryMaxLength = 1000;
/** One at a time per session: each may read all of its mail. */
export function createSearchTurns(): FairLane {
  return new FairLane({
    refuse: unavailable,
    atOnce: 4,
    perSession: 1,
    perNetwork: 2,
    perSite: 3,
    waitingMax: 500,
    waitMaxMs: 20_000,
  });
}

interface Page {
  readonly start: number;
  readonly limit: number;
}

export const listRoutes = [
  sessionRoute(
    'GET /api/v2/messages',
    'full messages, newest first, by `start` and `limit`: 50 without it, at most 250',
    async ({ services }, call) => answer(services, call, await listAllMessages(services, call.live.session)),
  ),
  sessionRoute(
    'GET /api/v2/search',
    'those whose sender, recipient or bytes contain `query`, by `kind`: `from`, `to`, `containing`',
    async ({ services, mailhogSearches }, call) => {
      const query = readQuery(call);
      const { session } = call.live;
      const found = await mailhogSearches.run(requesterOf(session), () => search(services, session, query));
      return answer(services, call, found);
    },
  ),
];

async function search(services: Services, session: OpenSession, query: Query): Promise<ListedMessage[]> {
  const found: ListedMessage[] = [];
  const effort = new SearchEffort(session);
  for (const listed of await listAllMessages(services, session)) {
    await effort.spend();
    const { id, recipients } = listed;
    const use = services.useWholeMail(session, {
      id,
      use: (mail) => matchesQuery(mail, recipients, query),
    });
    if (await unlessDeleted(use)) found.push(listed);
  }
  return found;
}

/** Newest first. */
async function answer(services: Services, call: SessionCall, all: readonly ListedMessage[]): Promise<Answer> {
  const { session } = call.live;
  const { start, limit } = readPage(call);
  const items: Piece[][] = [];
  const effort = new SearchEffort(session);
  for (const { id, recipients } of all.slice(start, start + limit)) {
    await effort.spend();
    const use = services.useWholeMail(session, { id, use: (mail) => writeMessage(mail, recipients) });
    const item = await unlessDeleted(use);
    if (item) items.push(item);
  }
  const head = `{"total":${all.length},"count":${items.length},"start":${start},"items":[`;
  const pieces = [head, ...items.flatMap((item, at) => (at === 0 ? item : [',', ...item])), ']}'];
  return { body: toJsonBody(pieces) };
}

/** Ignores invalid numbers, as MailHog does. */
function readPage({ query }: Pick<CompatCall, 'query'>): Page {
  const read = (name: string): number | undefined => {
    const text = query.get(name) ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const limit = read('limit') ?? pageDefault;
  return { start: read('start') ?? 0, limit: Math.min(limit === 0 ? pageDefault : limit, pageMax) };
}

/** @throws MayflyError invalid_parameter, missing_parameter */
function readQuery({ query }: Pick<CompatCall, 'query'>): Query {
  const kind = query.get('kind');
  if (kind !== 'from' && kind !== 'to' && kind !== 'containing') {
    throw new MayflyError('invalid_parameter', '`kind` must be from, to or containing.', {
      parameter: 'kind',
    });
  }
  const words = query.get('query') ?? '';
  if (words === '') {
    throw new MayflyError('missing_parameter', '`query` is missing.', { parameter: 'query' });
  }
  if (words.length <= queryMaxLength) return { kind, words };
  throw new MayflyError('invalid_parameter', `\`query\` must have at most ${queryMaxLength} characters.`, {
    parameter: 'query',
  });
}
