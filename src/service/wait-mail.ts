// Waits for a message that matches and answers with it in full: what a test that signs up somewhere wants. Called by
// the HTTP interface.

import { codeConfidence, holdsText } from '@mayfly/mail-reader';
import type { Session } from '../domain/session.ts';
import type { StoredMessage } from '../store/mail-store.ts';
import { type ListedMessage, toListedMessage } from './check-mail.ts';
import type { MessageParser } from '../reading/message-parser.ts';
import { type FullMessage, loadMessage, readMail, type ReadMailDeps } from './read-mail.ts';
import { turnOwner } from './turn-owner.ts';
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
  const matches = createMatcher(deps.parser, match);
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
  /** Only the whole message tells. */
  needsMore(listed: ListedMessage): boolean;
  is(message: FullMessage, session: Session): Promise<boolean>;
}

function createMatcher(parser: MessageParser, { from, subject, contains, hasCode }: MailMatch): Matcher {
  const holds = (text: string, part: string | undefined): boolean =>
    part === undefined || holdsText(text, part);
  return {
    couldBe: (listed) =>
      holds(`${listed.senderName} <${listed.senderEmail}>`, from) &&
      holds(listed.subject, subject) &&
      (hasCode !== true || listed.code !== null || listed.isProvisional === true),
    needsMore: ({ isProvisional }) => contains !== undefined || (hasCode === true && isProvisional === true),
    is: async ({ listed, parsed }, session) => {
      const hasRightCode = parsed.codes.some(({ confidence }) => confidence >= codeConfidence);
      if (hasCode === true && listed.code === null && !hasRightCode) return false;
      if (contains === undefined || holds(listed.subject, contains)) return true;
      return parser.search(parsed.text, contains, turnOwner(session));
    },
  };
}

/** False too when it went meanwhile. */
async function isMatch(
  deps: ReadMailDeps,
  session: Session,
  { stored, matches }: { stored: StoredMessage; matches: Matcher },
): Promise<boolean> {
  const listed = await toListedMessage(deps.glances, session, stored);
  if (!listed || !matches.couldBe(listed)) return false;
  if (!matches.needsMore(listed)) return true;
  const message = await loadMessage(deps, session, stored.id);
  return message !== undefined && (await matches.is(message, session));
}
