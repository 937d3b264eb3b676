// Finds the messages of a session that match a filter. The kept list answers most filters. Where the whole message is
// needed, a few are examined at a time, in the session's turns at the shared threads, and the results are kept in
// memory, since messages never change. Used by lists, waits and streams, and for deleting and marking.

import { unlessDeleted } from '../../domain/gone.ts';
import { listMaxMessages } from '../../domain/limits.ts';
import type { MessageParser } from '#mail-threads/message-parser';
import type { ExaminedMessage } from '#mail-threads/reader-protocol';
import { checkMail, type CheckMailDeps, cacheList, type ListedMessage } from '../mail/check-mail.ts';
import { createMatcher, isAnswered, type Matcher, type MessageFilter } from './message-filter.ts';
import { SearchEffort } from '../session/search-effort.ts';
import type { SessionCache } from '../session/session-cache.ts';
import { requesterOf } from '../session/turn-owner.ts';
import { type WholeRawDeps, withWholeRaw } from '../mail/whole-raw.ts';
import type { OpenSession } from '../session/session-access.ts';

/** The approximate size of a result in memory, besides its name. */
const factsBytes = 256;

export interface MatchDeps extends WholeRawDeps {
  readonly parser: Pick<MessageParser, 'examine'>;
  readonly facts: SessionCache<ExaminedMessage | null>;
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
  session: OpenSession,
  search: MessageSearch,
): Promise<readonly ListedMessage[]> {
  const name = `?${JSON.stringify(search)}`;
  return cacheList(deps, session, { name, make: () => find(deps, session, search) });
}

async function find(
  deps: CheckMailDeps & MatchDeps,
  session: OpenSession,
  search: MessageSearch,
): Promise<ListedMessage[]> {
  const { after, before, limit = Infinity } = search;
  const matcher = createMatcher(search);
  const effort = new SearchEffort(session);
  const isForward = after !== undefined;
  const found: ListedMessage[] = [];
  let range = { after, before };
  for (;;) {
    const page = await checkMail(deps, session, { ...range, limit: listMaxMessages });
    const inOrder = isForward ? page.toReversed() : page;
    found.push(
      ...(await effort.keep(
        inOrder,
        (listed) => isMatch(deps, session, { listed, matcher }),
        limit - found.length,
      )),
    );
    const last = inOrder.at(-1);
    if (page.length < listMaxMessages || !last || found.length >= limit) break;
    range = isForward ? { after: last.id, before } : { after, before: last.id };
  }
  return isForward ? found.reverse() : found;
}

/** Reports whether one message matches; false also if it has been deleted meanwhile. @throws MayflyError unavailable */
export function isMatch(
  deps: MatchDeps,
  session: OpenSession,
  { listed, matcher }: { readonly listed: ListedMessage; readonly matcher: Matcher },
): boolean | Promise<boolean> {
  const verdict = matcher(listed);
  if (typeof verdict === 'boolean') return verdict;
  return examineMail(deps, session, { listed, parts: verdict.parts }).then(
    (facts) => facts !== null && isAnswered(verdict, facts),
  );
}

/**
 * Returns what searches need from a whole message, with all parts looked for at once; null when it takes too long to
 * read, and when it has been deleted. @throws MayflyError unavailable
 */
export function examineMail(
  deps: MatchDeps,
  session: OpenSession,
  { listed, parts }: { readonly listed: ListedMessage; readonly parts: readonly string[] },
): Promise<ExaminedMessage | null> {
  const name = `${listed.id} ${JSON.stringify(parts)}`;
  return deps.facts.share(session.key, name, async () => {
    const found = await unlessDeleted(
      withWholeRaw(deps, { session, stored: listed }, (raw) =>
        deps.parser.examine(raw, { owner: requesterOf(session), parts }),
      ),
    );
    // A message that takes too long to read is not read again by each search.
    return { value: found ?? null, weight: factsBytes + 2 * name.length };
  });
}
