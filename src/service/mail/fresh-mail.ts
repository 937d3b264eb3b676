// Shows a message that was just received from its bytes in hand, as check-mail and read-mail would, for webhooks,
// which have no token. Opens nothing that is stored.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { MessageGlance, MessageMeta } from '../../domain/message.ts';
import type { Session } from '../../domain/session.ts';
import type { HtmlSanitiser } from '#mail-threads/html-sanitiser';
import type { MessageParser } from '#mail-threads/message-parser';
import { requesterOf } from '../session/turn-owner.ts';
import { composeListed, type ListedMessage, type ListDeps } from './check-mail.ts';
import type { HeldHead } from './heads-in-hand.ts';
import type { FullMessage } from './read-mail.ts';
import { sanitiseParsed } from './safe-html.ts';

export interface FreshMail extends HeldHead {
  readonly sizeBytes: number;
  /** ms since 1970. */
  readonly receivedAt: number;
  readonly meta: MessageMeta;
}

export interface FreshMailDeps extends ListDeps {
  readonly parser: MessageParser;
  readonly sanitiser: HtmlSanitiser;
}

/** For a list when there is no room to read the message: its header's facts alone. */
const noGlance: MessageGlance = { preview: '', code: null, hasAttachments: null, isPartial: true };

/** With `head` empty, or when the parser has no room, without preview, code and attachment mark. */
export async function listFreshMail(
  { glances, hostname }: ListDeps,
  session: Session,
  fresh: FreshMail,
): Promise<ListedMessage> {
  const glance = fresh.head.length === 0 ? noGlance : await glances.ahead(session, fresh).catch(orNoGlance);
  return composeListed(session, { ...fresh, isRead: false, glance }, hostname);
}

/**
 * Reads the message in full, from all of its bytes.
 * @throws MayflyError unavailable
 */
export async function readFreshMail(
  deps: FreshMailDeps,
  session: Session,
  fresh: FreshMail,
): Promise<FullMessage> {
  const { meta } = fresh;
  const parsed = await deps.parser.parse(fresh.head, { owner: requesterOf(session) });
  const glance = parsed.glance ?? noGlance;
  const listed = composeListed(session, { ...fresh, isRead: false, glance }, deps.hostname);
  return { listed, parsed, html: await sanitiseParsed(deps, session, parsed), meta, authentication: null };
}

function orNoGlance(error: unknown): MessageGlance {
  if (error instanceof MayflyError && error.code === 'unavailable') return noGlance;
  throw error;
}
