// GET /check-mail, the most frequent operation: an unchanged list is neither made nor serialised again.

import { matchesTag } from '#http-parts/entity-tag';
import type { Answer } from '#http-parts/answer';
import { writeJson } from '#http-parts/slices';
import { Type } from '#http-parts/json-schema';

import { listMaxMessages } from '../../domain/limits.ts';
import { formatTimestamp, secondsLeft } from '#values/timestamp';
import type { Share } from '../../domain/share.ts';
import type { ListedMessage } from '../../service/mail/check-mail.ts';
import type { Services } from '../../service/services.ts';
import type { LiveSession, OpenSession } from '../../service/session/session-access.ts';
import type { MessageWait } from '../../service/search/wait-for-message.ts';
import { jsonAnswer } from '../answers/success.ts';
import { sessionOperation } from '../operation.ts';
import { email, exampleExpiry, summaryExample } from './examples.ts';
import { filterParameters, toFilter } from './filter-parameters.ts';
import { toExpiry } from '../views/session-view.ts';
import { toMessageSummary } from '../views/message-summary.ts';
import { expiry, messageSummary, success, text } from '../views/schemas.ts';
import { createHash } from 'node:crypto';
import type { Session } from '../../domain/session.ts';

const position = { kind: 'int', min: 0, max: Number.MAX_SAFE_INTEGER } as const;

/** An answer without the remaining seconds, which are inserted between the two texts. */
interface CachedAnswer {
  readonly expiresAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly before: string;
  readonly after: Buffer;
}

// The service returns the same array while nothing changes, so the answer is cached with the array as its key.
const cachedAnswers = new WeakMap<readonly ListedMessage[], CachedAnswer>();

async function cacheAnswer(
  session: OpenSession,
  messages: readonly ListedMessage[],
  etag: string,
): Promise<CachedAnswer> {
  const cached = cachedAnswers.get(messages);
  if (cached?.expiresAt === session.expiresAt) return cached;
  const address = JSON.stringify(session.address);
  const expiresAt = formatTimestamp(session.expiresAt);
  const made: CachedAnswer = {
    expiresAt: session.expiresAt,
    // While something is still missing, a repeated request must not be answered with "unchanged".
    headers: messages.some(({ isProvisional }) => isProvisional === true)
      ? revalidated
      : { ...revalidated, etag },
    before: `{"status":"success","email":${address},"expires_at":"${expiresAt}","expires_in":`,
    after: Buffer.concat([
      Buffer.from(',"messages":'),
      await writeJson(messages.map(toMessageSummary)),
      brace,
    ]),
  };
  cachedAnswers.set(messages, made);
  return made;
}

const brace = Buffer.from('}\n');

const newest = { id: '$response.body#/messages/0/id' };

const revalidated = { 'cache-control': 'private, no-cache' };

export const checkMailOperation = sessionOperation({
  name: 'checkMail',
  tag: 'Mail',
  method: 'GET',
  path: '/check-mail',
  summary: 'List or search messages of a session',
  description:
    'Newest first. With `after` and `limit`, the oldest of the newer messages, so that paging forward skips nothing. ' +
    '`ETag` and `If-None-Match` avoid sending an unchanged list. A message must match all filters that are given; ' +
    'texts match anywhere and in any case, and `limit` counts the matches.',
  parameters: {
    limit: { kind: 'int', min: 1, max: listMaxMessages, description: 'The most messages in the answer.' },
    before: { ...position, description: 'Only messages with a smaller id.' },
    after: { ...position, description: 'Only messages with a greater id.' },
    wait: {
      kind: 'int',
      min: 0,
      max: 60,
      description:
        'Seconds to wait for a matching message after `after`; the list is empty if none arrives. 503 at a shutdown.',
    },
    ...filterParameters,
  },
  answers: success({ email: text('The address.'), ...expiry, messages: Type.Array(messageSummary) }),
  example: { status: 'success', email, ...exampleExpiry, messages: [summaryExample] },
  requestHeaders: { 'If-None-Match': 'The ETag of an answer: 304 when nothing has changed since.' },
  responseHeaders: { ETag: 'Changes with the messages, their read marks and the expiry time.' },
  errors: ['too_many_streams'],
  takesShare: true,
  links: {
    read: { operationId: 'readMail', parameters: newest },
    raw: { operationId: 'rawMail', parameters: newest },
    html: { operationId: 'htmlMail', parameters: newest },
  },
  async run({ services }, { live, parameters, share, ifNoneMatch, caller }) {
    const { after, before, limit, wait = 0 } = parameters;
    const filter = toFilter(parameters);
    const timing = { timeoutMs: wait * 1000, asker: caller, isGuest: share !== undefined };
    const waiting = { after, before, filter, ...timing };
    if (share && share.messageId !== null) return listShared(services, live, { share, waiting });
    const { session, now } = wait > 0 ? await services.waitForMessage(live.session, waiting) : live;
    if (share && wait > 0) await services.confirmShare({ session, now }, share);
    const etag = listTag(session, [after, before, limit, filter && tagOfFilter(filter)]);
    if (matchesTag(ifNoneMatch, etag)) return { status: 304, headers: { ...revalidated, etag }, body: null };
    const messages = filter
      ? await services.findMessages(session, { ...filter, after, before, limit: limit ?? listMaxMessages })
      : await services.checkMail(session, { after, before, limit });
    const cached = await cacheAnswer(session, messages, etag);
    return {
      headers: cached.headers,
      body: Buffer.concat([
        Buffer.from(cached.before + String(secondsLeft(session.expiresAt, now))),
        cached.after,
      ]),
    };
  },
});

/** Lists the one shared message. Other messages that arrive do not end a wait, so that nothing reveals them. */
async function listShared(
  services: Pick<Services, 'findMessages' | 'waitForMessage' | 'confirmShare'>,
  live: LiveSession,
  { share, waiting }: { readonly share: Share; readonly waiting: MessageWait },
): Promise<Answer> {
  const { after = 0, before = Infinity, filter } = waiting;
  const id = share.messageId ?? 0;
  const find = async (session: OpenSession): Promise<readonly ListedMessage[]> =>
    id > after && id < before
      ? services.findMessages(session, { ...filter, after: id - 1, before: id + 1 })
      : [];
  let { session, now } = live;
  let messages = await find(session);
  if (messages.length === 0 && waiting.timeoutMs > 0) {
    const never = { ...waiting, filter: undefined, after: Number.MAX_SAFE_INTEGER };
    ({ session, now } = await services.waitForMessage(session, never));
    await services.confirmShare({ session, now }, share);
    messages = await find(session);
  }
  return jsonAnswer({
    email: session.address,
    ...toExpiry(session, now),
    messages: messages.map(toMessageSummary),
  });
}

/**
 * ETag of a list (RFC 9110 §8.8.3). Weak, because `expires_in` counts down while the list stays the same. Includes the session: a cache may hold lists
 * of several sessions, fetched with different Authorization fields from the same URL.
 */
export function listTag(session: Session, range: readonly (number | string | undefined)[]): string {
  // 48 bits of the key, by arithmetic, because every poll needs it.
  let owner = 0;
  for (let at = 0; at < 6; at++) owner = owner * 256 + (session.key[at] ?? 0);
  return `W/"${owner}-${session.version}-${session.expiresAt}-${range.join('.')}"`;
}

/** Distinguishes filters without putting their content into a header field. */
function tagOfFilter(filter: object): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 16);
}
