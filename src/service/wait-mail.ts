// Waits for a message that matches and answers with it in full: what a test that signs up somewhere wants. Called by
// the HTTP interface.

import type { Session } from '../domain/session.ts';
import type { StoredMessage } from '../store/mail-store.ts';
import { type ListedMessage, toListedMessage } from './check-mail.ts';
import { type FullMessage, loadMessage, readMail, type ReadMailDeps } from './read-mail.ts';
import { waitFor, type WaitDeps, type WaitOptions } from './wait-for.ts';

/** All that are given must hold; texts match anywhere, in any case, over line breaks. */
export interface MailMatch {
  /** In the sender's address or name. */
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  /** In the subject or the readable text. */
  readonly contains?: string | undefined;
  readonly hasCode?: boolean | undefined;
}

export interface WaitMailRequest extends WaitOptions {
  readonly match: MailMatch;
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
  deps: ReadMailDeps & WaitDeps,
  { key }: Session,
  { match, marksRead, after = 0, ...waiting }: WaitMailRequest,
): Promise<FullMessage | null> {
  const matches = createMatcher(match);
  // Each message is looked at once, however often there is news.
  let examined = after;
  const found = await waitFor(deps, { key, ...waiting }, async ({ session }) => {
    for (;;) {
      const range = { after: examined, limit: examinedAtOnce, order: 'oldest-first' } as const;
      const page = await deps.mail.listMessages(key, range);
      for (const stored of page) {
        examined = stored.id;
        if (await isMatch(deps, session, { stored, matches })) return { session, id: stored.id };
      }
      if (page.length < examinedAtOnce) return undefined;
    }
  });
  return found ? readMail(deps, found.session, { id: found.id, marksRead }) : null;
}

interface Matcher {
  /** What a list shows is enough to tell that it is none. */
  couldBe(listed: ListedMessage): boolean;
  readonly readsText: boolean;
  is(message: FullMessage): boolean;
}

function createMatcher({ from, subject, contains, hasCode }: MailMatch): Matcher {
  const holds = (text: string, part: string | undefined): boolean =>
    part === undefined || fold(text).includes(fold(part));
  return {
    couldBe: (listed) =>
      holds(`${listed.senderName} <${listed.senderEmail}>`, from) &&
      holds(listed.subject, subject) &&
      (hasCode !== true || listed.code !== null),
    readsText: contains !== undefined,
    is: ({ listed, parsed }) => holds(listed.subject, contains) || holds(parsed.text, contains),
  };
}

/** Case, how an accent is written, and where lines break say nothing of what was meant. */
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}

/** False too when it went meanwhile. */
async function isMatch(
  deps: ReadMailDeps,
  session: Session,
  { stored, matches }: { stored: StoredMessage; matches: Matcher },
): Promise<boolean> {
  const listed = await toListedMessage(deps.glances, session, stored);
  if (!listed || !matches.couldBe(listed)) return false;
  if (!matches.readsText) return true;
  const message = await loadMessage(deps, session, stored.id);
  return message !== undefined && matches.is(message);
}
