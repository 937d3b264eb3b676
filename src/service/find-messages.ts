// Finds the messages of a session that match a filter. The kept list answers most filters. Where the whole message is
// needed, a few are examined at a time, in the session's turns at the shared threads, and the results are kept in
// memory, since messages never change. Used by lists, waits and streams, and for deleting and marking.

import { unlessDeleted } from '../domain/gone.ts';
import { MayflyError } from '../domain/mayfly-error.ts';
import { listMaxMessages } from '../domain/limits.ts';
import type { Session } from '../domain/session.ts';
import type { MessageParser } from '../reading/message-parser.ts';
import { checkMail, type CheckMailDeps, keepList, type ListedMessage } from './check-mail.ts';
import {
  createMatcher,
  isAnswered,
  type Matcher,
  type MessageFilter,
  type Question,
} from './message-filter.ts';
import { withWholeRaw } from './whole-raw.ts';
import type { SessionCache } from './session-cache.ts';
import { turnOwner } from './turn-owner.ts';

/** The most messages examined at once per search, so that other searches and sessions get their turns in between. */
const examinedAtOnce = 4;
/** List entries compared before the event loop gets a turn. */
const comparedAtOnce = 32;
/** A longer search is answered with "try again"; messages examined so far are not examined again. */
const searchMaxMs = 20_000;
/** The approximate size of a result in memory, besides its name. */
const verdictBytes = 256;

export interface MatchDeps {
  readonly mail: CheckMailDeps['mail'];
  readonly parser: Pick<MessageParser, 'examine'>;
  readonly verdicts: SessionCache<boolean>;
}

/** A filter within a range of ids. */
export interface MessageSearch extends MessageFilter {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** The most messages to find; all when absent. */
  readonly limit?: number | undefined;
}

/**
 * Returns messages newest first. With `after` and `limit`, the oldest of the newer ones, as in a list. The same array
 * while nothing changes.
 * @throws MayflyError unavailable
 */
export function findMessages(
  deps: CheckMailDeps & MatchDeps,
  session: Session,
  search: MessageSearch,
): Promise<readonly ListedMessage[]> {
  const name = `?${JSON.stringify(search)}`;
  return keepList(deps, session, { name, make: () => find(deps, session, search) });
}

async function find(
  deps: CheckMailDeps & MatchDeps,
  session: Session,
  search: MessageSearch,
): Promise<ListedMessage[]> {
  const { after, before, limit = Infinity } = search;
  const matcher = createMatcher(search);
  const until = performance.now() + searchMaxMs;
  const isForward = after !== undefined;
  const found: ListedMessage[] = [];
  let range = { after, before };
  for (;;) {
    const page = await checkMail(deps, session, { ...range, limit: listMaxMessages });
    const inOrder = isForward ? page.toReversed() : page;
    for (let at = 0; at < inOrder.length && found.length < limit; at += comparedAtOnce) {
      const compared = inOrder.slice(at, at + comparedAtOnce);
      await examine(deps, session, { messages: compared, matcher, found, limit, until });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const last = inOrder.at(-1);
    if (page.length < listMaxMessages || !last || found.length >= limit) break;
    range = isForward ? { after: last.id, before } : { after, before: last.id };
  }
  return isForward ? found.reverse() : found;
}

interface Examining {
  readonly messages: readonly ListedMessage[];
  readonly matcher: Matcher;
  /** Matches are appended to it, in order. */
  readonly found: ListedMessage[];
  readonly limit: number;
  /** Monotonic, ms. */
  readonly until: number;
}

async function examine(
  deps: MatchDeps,
  session: Session,
  { messages, matcher, found, limit, until }: Examining,
): Promise<void> {
  const possible = messages.flatMap((listed) => {
    const verdict = matcher(listed);
    return verdict === false ? [] : [{ listed, verdict }];
  });
  for (let at = 0; at < possible.length && found.length < limit; at += examinedAtOnce) {
    if (performance.now() > until) throw tooLong();
    const examined = possible.slice(at, at + examinedAtOnce);
    const verdicts = await Promise.all(
      examined.map(({ listed, verdict }) =>
        verdict === true ? Promise.resolve(true) : askWhole(deps, session, { listed, question: verdict }),
      ),
    );
    for (const [index, { listed }] of examined.entries()) {
      if (verdicts[index] === true && found.length < limit) found.push(listed);
    }
  }
}

/** Reports whether one message matches; false also if it has been deleted meanwhile. @throws MayflyError unavailable */
export async function isMatch(
  deps: MatchDeps,
  session: Session,
  { listed, matcher }: { readonly listed: ListedMessage; readonly matcher: Matcher },
): Promise<boolean> {
  const verdict = matcher(listed);
  return typeof verdict === 'boolean' ? verdict : askWhole(deps, session, { listed, question: verdict });
}

async function askWhole(
  { mail, parser, verdicts }: MatchDeps,
  session: Session,
  { listed, question }: { readonly listed: ListedMessage; readonly question: Question },
): Promise<boolean> {
  const name = `${listed.id} ${JSON.stringify(question)}`;
  return verdicts.share(session.key, name, async () => {
    const facts = await unlessDeleted(
      withWholeRaw({ mail, session, stored: listed }, (raw) =>
        parser.examine(raw, { owner: turnOwner(session), parts: question.parts }),
      ),
    );
    // A message that takes too long to read matches nothing, and is not retried by each search.
    return {
      value: facts !== undefined && isAnswered(question, facts),
      weight: verdictBytes + 2 * name.length,
    };
  });
}

function tooLong(): MayflyError {
  return new MayflyError(
    'unavailable',
    'The search is taking long; repeat the request to continue it. `since`, `from` or `after` shorten it.',
    { retryAfterSeconds: 1 },
  );
}
