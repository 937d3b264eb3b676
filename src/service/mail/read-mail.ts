// Reads one message in full, for the HTTP interface. MIME is parsed on demand, in another thread and within a budget;
// results are cached within a bound of bytes.

import { type Attachment, type BodyContents, decodePieces, type ParsedMessage } from '@mayfly/mail-reader';
import type { Authentication } from '#mail-receiver/authentication';
import { messageNotFound } from '../../domain/gone.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { MessageGlance, MessageMeta } from '../../domain/message.ts';
import type { MessageParser } from '#mail-threads/message-parser';
import type { SanitiseOutcome } from '#mail-threads/html-sanitiser';
import type { StoredMessage } from '../../store/mail-store.ts';
import { openMeta } from '../session/open-meta.ts';
import { type CachedList, composeListed, type ListedMessage, toListedMessage } from './check-mail.ts';
import type { MessageAuthentications } from './message-authentications.ts';
import type { MessageGlances } from './message-glances.ts';
import { makeSafeHtml, type SafeHtmlDeps } from './safe-html.ts';
import { openRaw, openRawRange } from '../session/sealed-raw.ts';
import type { SessionCache } from '../session/session-cache.ts';
import { traceFields } from '../session/trace-fields.ts';
import { requesterOf } from '../session/turn-owner.ts';
import { getStored, type WholeRawDeps, withWholeRaw } from './whole-raw.ts';
import type { OpenSession } from '../session/session-access.ts';

/** How long the first reader waits for authentication: all look-ups together have 2 s. */
export const authenticationWaitMs = 2500;

export interface FullMessage {
  readonly listed: ListedMessage;
  /** Its `html` is the sender's own markup; `html` below is safe to show. */
  readonly parsed: ParsedMessage;
  /** Without remote content; null when the message has no HTML. */
  readonly html: SanitiseOutcome | null;
  readonly meta: MessageMeta;
  /** Null when not yet known, and when checks are off. */
  readonly authentication: Authentication | null;
}

export interface ReadMailDeps extends SafeHtmlDeps, WholeRawDeps {
  readonly glances: MessageGlances;
  readonly authentications: MessageAuthentications;
  readonly parser: MessageParser;
  readonly lists: SessionCache<CachedList>;
  readonly parsedMessages: SessionCache<ParsedMessage>;
  /** Our name in the Received field. */
  readonly hostname: string;
}

export interface ReadRequest {
  readonly id: number;
  /** False for HEAD: the same answer, but the message stays unread. */
  readonly marksRead: boolean;
}

/**
 * Marks the message read.
 * @throws MayflyError message_not_found
 */
export async function readMail(
  deps: ReadMailDeps,
  session: OpenSession,
  { id, marksRead }: ReadRequest,
): Promise<FullMessage> {
  const message = await load(deps, session, { id, marksRead, waitMs: authenticationWaitMs });
  if (!message) throw messageNotFound();
  return { ...message, listed: { ...message.listed, isRead: true } };
}

/** Like readMail, but leaves the message unread. @throws MayflyError message_not_found */
export async function peekMail(deps: ReadMailDeps, session: OpenSession, id: number): Promise<FullMessage> {
  const message = await load(deps, session, { id, marksRead: false, waitMs: authenticationWaitMs });
  if (!message) throw messageNotFound();
  return message;
}

/** Leaves the message unread and does not wait for authentication; resolves with undefined if it no longer exists. */
export function loadMessage(
  deps: ReadMailDeps,
  session: OpenSession,
  id: number,
): Promise<FullMessage | undefined> {
  return load(deps, session, { id, marksRead: false, waitMs: 0 });
}

/** A message as its sender wrote it. */
export interface ParsedMail {
  readonly stored: StoredMessage;
  /** Its `html` is raw and untrusted. */
  readonly parsed: ParsedMessage;
  readonly meta: MessageMeta;
}

/**
 * For programs that assert on the sender's own markup: nothing is sanitised, and the message stays unread.
 * @throws MayflyError message_not_found
 */
export async function loadParsedMail(
  deps: ReadMailDeps,
  session: OpenSession,
  id: number,
): Promise<ParsedMail> {
  const stored = await getStored(deps.mail, session, id);
  return { stored, parsed: await parseStored(deps, session, stored), meta: openMeta(session, stored) };
}

/** Reads the codes and links of each body of a parsed message. */
export function readContents(
  { parser }: Pick<ReadMailDeps, 'parser'>,
  session: OpenSession,
  { text, html }: Pick<ParsedMessage, 'text' | 'html'>,
): Promise<BodyContents> {
  return parser.contents({ text, html }, requesterOf(session));
}

async function load(
  deps: ReadMailDeps,
  session: OpenSession,
  { id, marksRead, waitMs }: ReadRequest & { readonly waitMs: number },
): Promise<FullMessage | undefined> {
  const stored = await deps.mail.findMessage(session.key, id);
  if (!stored) return undefined;
  const [glance, parsed, authentication] = await Promise.all([
    deps.glances.find(session, stored),
    parseStored(deps, session, stored),
    deps.authentications.find(session, stored, waitMs),
  ]);
  // Reading the whole message shows all that a glance does: it is not read again for one.
  if (!glance && parsed.glance) deps.glances.record(session, id, parsed.glance);
  const known = glance ?? parsed.glance;
  const glanced = known
    ? composeListed(session, { ...stored, meta: openMeta(session, stored), glance: known }, deps.hostname)
    : await toListedMessage(deps, session, stored);
  if (!glanced) return undefined;
  const listed = await agreeWithRead(deps, session, { glanced, parsed });
  // Parsing succeeded, so there is something to show: store the read mark while the HTML is sanitised.
  const [html] = await Promise.all([
    makeSafeHtml(deps, { session, id, parsed }, 'none'),
    marksRead && !listed.isRead ? deps.mail.markRead(session.key, id) : undefined,
  ]);
  return { listed, parsed, html, meta: openMeta(session, stored), authentication };
}

/** Updates the list entry, which was made from only the beginning of the message, to agree with the full one. */
async function agreeWithRead(
  { glances, lists }: ReadMailDeps,
  session: OpenSession,
  { glanced, parsed: { glance } }: { glanced: ListedMessage; parsed: ParsedMessage },
): Promise<ListedMessage> {
  if (!glance || isSameGlance(glanced, glance)) return glanced;
  await glances.replace(session, glanced.id, glance);
  lists.forget(session.key);
  const { isPartial: _, ...known } = glanced;
  return { ...known, ...glance };
}

function isSameGlance(one: MessageGlance, other: MessageGlance): boolean {
  return (
    one.preview === other.preview &&
    one.code === other.code &&
    one.hasAttachments === other.hasAttachments &&
    one.isPartial === other.isPartial
  );
}

/**
 * Returns our Return-Path and Received fields, followed by the bytes exactly as received.
 * @throws MayflyError message_not_found
 */
export async function readRawMail(
  deps: ReadMailDeps,
  session: OpenSession,
  id: number,
): Promise<{ sizeBytes: number; pieces: AsyncIterable<Buffer> }> {
  return readRawStored(deps, session, await getStored(deps.mail, session, id));
}

export function readRawStored(
  { mail, hostname }: Pick<ReadMailDeps, 'mail' | 'hostname'>,
  session: OpenSession,
  stored: StoredMessage,
): { sizeBytes: number; pieces: AsyncIterable<Buffer> } {
  const trace = Buffer.from(traceFields(openMeta(session, stored), { hostname, at: stored.receivedAt }));
  async function* pieces(): AsyncGenerator<Buffer> {
    const raw = openRaw(mail, session, stored.id);
    // Before the first byte is sent: until then, that the message is gone can still be said.
    const first = await raw.next();
    yield trace;
    if (!first.done) yield first.value;
    yield* raw;
  }
  return { sizeBytes: trace.length + stored.sizeBytes, pieces: pieces() };
}

export interface OpenedAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** The type of a picture by its first bytes; null for any other content. */
  readonly pictureType: Attachment['pictureType'];
  /** Decoded, the size of all pieces together. */
  readonly sizeBytes: number;
  readonly pieces: AsyncIterable<Buffer>;
}

/**
 * Decodes while being consumed: only a few chunks are in memory.
 * @throws MayflyError message_not_found, attachment_not_found; unavailable when the message cannot be read
 */
export async function readAttachment(
  deps: ReadMailDeps,
  session: OpenSession,
  { id, part }: { id: number; part: string },
): Promise<OpenedAttachment> {
  const stored = await getStored(deps.mail, session, id);
  const { attachments, parse } = await parseStored(deps, session, stored);
  const attachment = attachments.find((one) => one.id === part);
  if (attachment) {
    const { filename, contentType, pictureType, size: sizeBytes, body } = attachment;
    const encoded = openRawRange(deps.mail, session, { id, start: body.start, end: body.end });
    return { filename, contentType, pictureType, sizeBytes, pieces: decodePieces(encoded, body.encoding) };
  }
  if (parse.status === 'failed') {
    throw new MayflyError('unavailable', 'The attachment cannot be read; download the raw message.');
  }
  throw new MayflyError('attachment_not_found', 'The message has no attachment with this id.', {
    parameter: 'part',
  });
}

function parseStored(
  deps: ReadMailDeps,
  session: OpenSession,
  stored: StoredMessage,
): Promise<ParsedMessage> {
  return deps.parsedMessages.share(session.key, String(stored.id), () =>
    withWholeRaw(deps, { session, stored }, async (raw) => {
      const value = await deps.parser.parse(raw, { owner: requesterOf(session), ownsRaw: true });
      // A message deleted meanwhile is gone for this reader too, and must not be cached.
      await getStored(deps.mail, session, stored.id);
      return { value, weight: value.parse.isProvisional === true ? Infinity : weighParsed(value) };
    }),
  );
}

const bytesPerMessage = 2048;
/** The size of an object with a few members in an array, without its texts. */
const bytesPerEntry = 128;

/** Estimates the memory that a parsed message occupies, without falling far short: two bytes per character. */
export function weighParsed(parsed: ParsedMessage): number {
  const { text, html, headers, attachments, links, codes, to, cc, replyTo } = parsed;
  const entries: readonly object[] = [
    ...headers,
    ...attachments,
    ...links,
    ...codes,
    ...to,
    ...cc,
    ...replyTo,
  ];
  let bytes = bytesPerMessage + 2 * (text.length + (html?.length ?? 0)) + bytesPerEntry * entries.length;
  for (const entry of entries) {
    for (const value of Object.values(entry)) if (typeof value === 'string') bytes += 2 * value.length;
  }
  return bytes;
}
