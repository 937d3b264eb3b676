// One message in full, for the HTTP interface. MIME is parsed here, when somebody reads, in another thread and within
// a budget; the result is kept within a bound of bytes.

import { MayflyError } from '../domain/mayfly-error.ts';
import type { MessageMeta } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import type { MessageParser } from '../mime/message-parser.ts';
import type { ParsedMessage } from '../mime/parsed.ts';
import type { MailStore, StoredMessage } from '../store/mail-store.ts';
import { type ListedMessage, openMeta, toListedMessage } from './check-mail.ts';
import type { LruCache } from './lru-cache.ts';
import type { MessageGlances } from './message-glances.ts';
import { openRaw, readWholeRaw } from './sealed-raw.ts';
import { traceFields } from './trace-fields.ts';

export interface FullMessage {
  readonly listed: ListedMessage;
  readonly parsed: ParsedMessage;
  readonly meta: MessageMeta;
}

export interface ReadMailDeps {
  readonly mail: MailStore;
  readonly glances: MessageGlances;
  readonly parser: MessageParser;
  readonly parsedMessages: LruCache<ParsedMessage>;
  /** Our name in the Received field. */
  readonly hostname: string;
}

/**
 * Marks the message read.
 * @throws MayflyError message_not_found
 */
export async function readMail(deps: ReadMailDeps, session: Session, id: number): Promise<FullMessage> {
  const stored = await getStored(deps.mail, session, id);
  const [listed, parsed] = await Promise.all([
    toListedMessage(deps.glances, session, stored),
    parseStored(deps, session, stored),
  ]);
  if (!listed) throw messageNotFound();
  if (!stored.isRead) await deps.mail.markRead(session.key, id);
  return { listed: { ...listed, isRead: true }, parsed, meta: openMeta(session, stored) };
}

/**
 * Our Return-Path and Received fields, then the bytes exactly as they came.
 * @throws MayflyError message_not_found
 */
export async function readRawMail(
  deps: ReadMailDeps,
  session: Session,
  id: number,
): Promise<{ sizeBytes: number; pieces: AsyncIterable<Buffer> }> {
  const stored = await getStored(deps.mail, session, id);
  const trace = Buffer.from(
    traceFields(openMeta(session, stored), { hostname: deps.hostname, at: stored.receivedAt }),
  );
  async function* pieces(): AsyncGenerator<Buffer> {
    yield trace;
    yield* openRaw(deps.mail, session, id);
  }
  return { sizeBytes: trace.length + stored.sizeBytes, pieces: pieces() };
}

export interface OpenedAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** @throws MayflyError message_not_found, attachment_not_found */
export async function readAttachment(
  deps: ReadMailDeps,
  session: Session,
  { id, part }: { id: number; part: string },
): Promise<OpenedAttachment> {
  const stored = await getStored(deps.mail, session, id);
  const raw = await readWholeRaw(deps.mail, session, stored);
  const attachment = await deps.parser.extractPart(raw, part);
  if (attachment) return attachment;
  throw new MayflyError('attachment_not_found', 'The message has no attachment with this id.', {
    parameter: 'part',
  });
}

export function parsedKey(session: Session, id: number): string {
  return `${Buffer.from(session.key).toString('latin1')}${id}`;
}

async function parseStored(
  deps: ReadMailDeps,
  session: Session,
  stored: StoredMessage,
): Promise<ParsedMessage> {
  const key = parsedKey(session, stored.id);
  const kept = deps.parsedMessages.get(key);
  if (kept) return kept;
  const raw = await readWholeRaw(deps.mail, session, stored);
  const parsed = await deps.parser.parse(raw, { ownsRaw: true });
  deps.parsedMessages.set(key, parsed, 2048 + 2 * (parsed.text.length + (parsed.html?.length ?? 0)));
  return parsed;
}

async function getStored(mail: MailStore, session: Session, id: number): Promise<StoredMessage> {
  const stored = await mail.findMessage(session.key, id);
  if (stored) return stored;
  throw messageNotFound();
}

export function messageNotFound(): MayflyError {
  return new MayflyError('message_not_found', 'The session has no message with this id.', {
    parameter: 'id',
  });
}
