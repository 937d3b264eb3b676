// Waits for a matching message and returns it in full, as a test of a sign-up needs. Called by the HTTP interface.

import { toListedMessage } from '../mail/check-mail.ts';
import { isMatch, type MatchDeps } from './find-messages.ts';
import { createMatcher, isFiltering, type MessageFilter } from './message-filter.ts';
import { SearchEffort, searchMaxMs } from '../session/search-effort.ts';
import { type FullMessage, readMail, type ReadMailDeps } from '../mail/read-mail.ts';
import { waitFor, type WaitDeps, type WaitOptions } from '../live/wait-for.ts';
import type { OpenSession } from '../session/session-access.ts';

export interface WaitMailRequest extends WaitOptions {
  readonly filter: MessageFilter;
  /** As in read-mail. */
  readonly marksRead: boolean;
  /** Only ids greater than this; all when absent. */
  readonly after?: number | undefined;
}

const examinedAtOnce = 20;

/**
 * Resolves with the oldest match; null when none arrived in time.
 * @throws MayflyError session_expired, too_many_streams, unavailable; message_not_found when it was just deleted
 */
export async function waitMail(
  deps: ReadMailDeps & MatchDeps & WaitDeps,
  waiter: OpenSession,
  { filter, marksRead, after = 0, ...waiting }: WaitMailRequest,
): Promise<FullMessage | null> {
  const matcher = isFiltering(filter) ? createMatcher(filter) : undefined;
  let effort: SearchEffort | undefined;
  // Examine each message once, however often the log grows.
  let examined = after;
  const found = await waitFor(deps, { session: waiter, ...waiting }, async ({ session }) => {
    effort ??= new SearchEffort(session, waiting.timeoutMs + searchMaxMs);
    for (;;) {
      const range = { after: examined, limit: examinedAtOnce, order: 'oldest-first' } as const;
      const page = await deps.mail.listMessages(session.key, range);
      for (const stored of page) {
        await effort.spend();
        examined = stored.id;
        // Reading makes the glance too, beside parsing.
        if (!matcher) return { session, id: stored.id };
        const listed = await toListedMessage(deps, session, stored);
        if (listed && (await isMatch(deps, session, { listed, matcher }))) return { session, id: stored.id };
      }
      if (page.length < examinedAtOnce) return undefined;
    }
  });
  return found ? readMail(deps, found.session, { id: found.id, marksRead }) : null;
}
