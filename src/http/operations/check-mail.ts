// GET /check-mail, the operation that is called most: an unchanged list is neither made nor serialised again.

import { Type } from 'typebox';

import { listMaxMessages } from '../../domain/limits.ts';
import { checkMail, type ListedMessage } from '../../service/check-mail.ts';
import { stringifyWellFormed } from '../answer.ts';
import { listTag, matchesTag } from '../entity-tag.ts';
import { sessionOperation } from '../operation.ts';
import { toMessageSummary } from './message-summary.ts';
import { expiry, messageSummary, success, text } from './schemas.ts';
import { toExpiry } from './session-view.ts';

const position = { kind: 'int', min: 0, max: Number.MAX_SAFE_INTEGER } as const;

// The service answers the same array as long as nothing changed, so its JSON is kept beside it and goes with it.
const keptJson = new WeakMap<readonly ListedMessage[], string>();

function toJson(messages: readonly ListedMessage[]): string {
  const kept = keptJson.get(messages);
  if (kept !== undefined) return kept;
  const json = stringifyWellFormed(messages.map(toMessageSummary));
  keptJson.set(messages, json);
  return json;
}

export const checkMailOperation = sessionOperation({
  name: 'checkMail',
  method: 'GET',
  path: '/check-mail',
  summary: 'List messages of a session',
  description:
    'Newest first. With `after` and `limit` the oldest of the newer messages, so that paging forward skips nothing. ' +
    '`ETag` and `If-None-Match` spare an unchanged list.',
  parameters: {
    limit: { kind: 'int', min: 1, max: listMaxMessages, description: 'Most messages in the answer.' },
    before: { ...position, description: 'Only messages with a lesser id.' },
    after: { ...position, description: 'Only messages with a greater id.' },
    wait: {
      kind: 'int',
      min: 0,
      max: 60,
      description: 'Seconds to wait for a message after `after`. Not yet: the answer comes at once.',
    },
  },
  answers: success({ email: text('The address.'), ...expiry, messages: Type.Array(messageSummary) }),
  errors: [],
  async run({ deps }, { live, parameters, ifNoneMatch }) {
    const { session, now } = live;
    const { after, before, limit } = parameters;
    const etag = listTag(session, [after, before, limit]);
    const headers = { etag, 'cache-control': 'private, no-cache' };
    if (matchesTag(ifNoneMatch, etag)) return { status: 304, headers, body: null };
    const messages = toJson(await checkMail(deps, session, { after, before, limit }));
    const { expires_at, expires_in } = toExpiry(session, now);
    const email = JSON.stringify(session.address);
    return {
      headers,
      body:
        `{"status":"success","email":${email},"expires_at":"${expires_at}","expires_in":${expires_in},` +
        `"messages":${messages}}`,
    };
  },
});
