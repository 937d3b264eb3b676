// Waits for a message that matches and answers with it in full: what a test that signs up somewhere wants. Called by
// the HTTP interface.

import type { Session } from '../domain/session.ts';
import { toListedMessage } from './check-mail.ts';
import { isMatch, type MatchDeps } from './find-messages.ts';
import { createMatcher, type MessageFilter } from './message-filter.ts';
import { type FullMessage, readMail, type ReadMailDeps } from './read-mail.ts';
import { waitFor, type WaitDeps, type WaitOptions } from './wait-for.ts';

export interface WaitMailRequest extends WaitOptions {
  readonly filter: MessageFilter;
  /** As in read-mail. */
  readonly marksRead: boolean;
  /** Only ids greater than this; all when absent. */
  readonly after?: number | undefined;
}

const examinedAtOnce = 20;

/**
 * The oldest match; null when none came in time.
 * @throws MayflyError session_expired, too_many_streams, unavailable; message_not_found when it was deleted just now
 */
export async function waitMail(
  deps: ReadMailDeps & MatchDeps & WaitDeps,
  { key }: Session,
  { filter, marksRead, after = 0, ...waiting }: WaitMailRequest,
): Promise<FullMessage | null> {
  const matcher = createMatcher(filter);
  // Each message is looked at once, however often there is news.
  let examined = after;
  const found = await waitFor(deps, { key, ...waiting }, async ({ session }) => {
    for (;;) {
      const range = { after: examined, limit: examinedAtOnce, order: 'oldest-first' } as const;
      const page = await deps.mail.listMessages(key, range);
      for (const stored of page) {
        examined = stored.id;
        const listed = await toListedMessage(deps.glances, session, stored);
        if (listed && (await isMatch(deps, session, { listed, matcher }))) return { session, id: stored.id };
      }
      if (page.length < examinedAtOnce) return undefined;
    }
  });
  return found ? readMail(deps, found.session, { id: found.id, marksRead }) : null;
}
