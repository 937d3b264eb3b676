// Lists a session's messages. An unchanged list is served from memory by the session's version, so that polling
// neither reads nor decrypts. Called by the HTTP interface.

import { listMaxMessages } from '../../domain/limits.ts';
import type { MessageGlance, MessageMeta } from '../../domain/message.ts';
import { ownRecipients, tagsOf } from '../../domain/addresses/capture.ts';
import type { MailStore, MessageRange, StoredMessage } from '../../store/mail-store.ts';
import { expectMail, type ReadThreads } from '../session/expect-reads.ts';
import type { MessageGlances } from './message-glances.ts';
import { openMeta } from '../session/open-meta.ts';
import type { SessionCache } from '../session/session-cache.ts';
import { traceFields } from '../session/trace-fields.ts';
import type { Session } from '../../domain/session.ts';
import type { OpenSession } from '../session/session-access.ts';

export interface ListedMessage extends MessageGlance {
  readonly id: number;
  readonly senderName: string;
  readonly senderEmail: string;
  readonly subject: string;
  /** ms since 1970. */
  readonly receivedAt: number;
  /** As received. */
  readonly sizeBytes: number;
  /** With our trace fields, as raw-mail returns it. */
  readonly rawSizeBytes: number;
  readonly isRead: boolean;
  /** Fetched from the spam folder of a Gmail account. */
  readonly isSpam: boolean;
  /** The session's own recipients of the transaction, as the sender spelled them. */
  readonly recipients: readonly string[];
  /** Their tags, each once. */
  readonly tags: readonly string[];
  /** The envelope's reverse-path; null for `<>`. */
  readonly mailFrom: string | null;
  /** The user name given at AUTH, if any. */
  readonly login?: string | undefined;
}

export interface CheckMailRequest {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

/** A list at one version of its session; the same array is returned while nothing changes. */
export interface CachedList {
  readonly version: number;
  readonly messages: readonly ListedMessage[];
}

export interface ListDeps {
  readonly glances: MessageGlances;
  /** Our name in the Received field. */
  readonly hostname: string;
}

export interface CheckMailDeps extends ReadThreads, ListDeps {
  readonly mail: MailStore;
  /** Called for each message that is shown for the first time. */
  readonly authentications: { begin(session: OpenSession, stored: StoredMessage): void };
  readonly lists: SessionCache<CachedList>;
}

/**
 * Returns messages newest first. With `after` and `limit`, the oldest of the newer ones, so that paging forward skips
 * nothing; these too are newest first.
 */
export function checkMail(
  deps: CheckMailDeps,
  session: OpenSession,
  request: CheckMailRequest = {},
): Promise<readonly ListedMessage[]> {
  const range = toRange(request);
  const name = `${range.after ?? ''},${range.before ?? ''},${range.limit}`;
  return cacheList(deps, session, { name, make: () => list(deps, session, range) });
}

/** Returns the list kept under the name, or makes it when the session has changed since. */
export async function cacheList(
  { lists }: Pick<CheckMailDeps, 'lists'>,
  session: OpenSession,
  { name, make }: { readonly name: string; readonly make: () => Promise<readonly ListedMessage[]> },
): Promise<readonly ListedMessage[]> {
  const kept = lists.get(session.key, name);
  if (kept?.version === session.version) return kept.messages;
  const made = await lists.make(session.key, name, async () => {
    const messages = await make();
    const isFinal = messages.every(({ isProvisional }) => isProvisional !== true);
    return {
      value: { version: session.version, messages },
      // A filter may be long.
      weight: isFinal ? 1 + messages.length + name.length / 100 : Infinity,
    };
  });
  return made.messages;
}

function toRange({ after, before, limit = listMaxMessages }: CheckMailRequest): MessageRange {
  return {
    limit: Math.min(limit, listMaxMessages),
    order: after === undefined ? 'newest-first' : 'oldest-first',
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  };
}

async function list(
  deps: CheckMailDeps,
  session: OpenSession,
  range: MessageRange,
): Promise<ListedMessage[]> {
  expectMail(deps, session);
  const stored = await deps.mail.listMessages(session.key, range);
  if (range.order === 'oldest-first') stored.reverse();
  // Someone is reading the list and may open a message. Streams and webhooks do not pass through here and cause no
  // look-ups.
  for (const message of stored) deps.authentications.begin(session, message);
  const listed = await Promise.all(stored.map((message) => toListedMessage(deps, session, message)));
  return listed.filter((message) => message !== undefined);
}

/** Resolves with undefined if the session has no such message. */
export async function findListedMessage(
  deps: Pick<CheckMailDeps, 'mail' | 'glances' | 'hostname'>,
  session: OpenSession,
  id: number,
): Promise<ListedMessage | undefined> {
  const stored = await deps.mail.findMessage(session.key, id);
  return stored && toListedMessage(deps, session, stored);
}

/** Resolves with undefined if the message has been deleted meanwhile. */
export async function toListedMessage(
  { glances, hostname }: ListDeps,
  session: OpenSession,
  stored: StoredMessage,
): Promise<ListedMessage | undefined> {
  const glance = await glances.glance(session, stored);
  return glance && composeListed(session, { ...stored, meta: openMeta(session, stored), glance }, hostname);
}

export interface ListedParts extends Pick<StoredMessage, 'id' | 'receivedAt' | 'sizeBytes' | 'isRead'> {
  readonly meta: MessageMeta;
  readonly glance: MessageGlance;
}

export function composeListed(
  session: Session,
  { id, receivedAt, sizeBytes, isRead, meta, glance }: ListedParts,
  hostname: string,
): ListedMessage {
  const { senderName, senderEmail, subject, envelope, source, isSpam = false } = meta;
  const recipients = ownRecipients(envelope.rcptTo, session.address);
  const trace = traceFields(meta, { hostname, at: receivedAt });
  return {
    id,
    senderName,
    senderEmail,
    subject,
    receivedAt,
    sizeBytes,
    isRead,
    isSpam,
    recipients,
    rawSizeBytes: sizeBytes + Buffer.byteLength(trace),
    tags: tagsOf(recipients, session.address),
    mailFrom: envelope.mailFrom,
    ...(source.login === undefined ? {} : { login: source.login }),
    ...glance,
  };
}
