// Delivers one message of an account, given its header, to the sessions of the aliases it is addressed to, or leaves it
// alone. Fetches the body only for a live session. Called by take-new-messages in order of UID.

import { type RawField, readHeaderFields } from '@mayfly/mail-reader/header';
import { type FetchedHeader, fetchBody } from '#imap-reader/fetch-messages';
import { bodyPieceBytes, type ImapConnection } from '#imap-reader/imap-connection';
import type { Session } from '../domain/session.ts';
import type { GmailEnvelope } from '../service/receiving/receive-gmail-message.ts';
import { findRecipients } from '#gmail-aliases/find-recipients';
import type { FolderProgress } from './folder-progress.ts';
import { toFetchSpan } from './fetch-span.ts';
import { toOrigin } from '#gmail-aliases/message-origin';
import type { FolderRole, PollContext } from './poll-context.ts';
import { readTrace } from '#gmail-aliases/read-trace';

/** INTERNALDATE has whole seconds and comes from another machine's clock. */
export const clockSlackMs = 60_000;
const headerFieldsMax = 2000;

export interface Mailbox {
  readonly context: PollContext;
  readonly connection: ImapConnection;
  readonly progress: FolderProgress;
  readonly role: FolderRole;
  readonly folder: string;
}

/** A delivered message, with the data needed to handle it in the account. */
export interface TakenMessage {
  readonly uid: number;
  /** Compared before the message is touched. */
  readonly tag: string;
  readonly sessions: readonly Session[];
}

/**
 * Resolves with undefined when no session received it. Rejects when it could not be stored, so that the cursor does not
 * pass it.
 */
export async function takeMessage(
  mailbox: Mailbox,
  fetched: FetchedHeader,
): Promise<TakenMessage | undefined> {
  const { context, progress } = mailbox;
  const fields = readFields(fetched.header);
  const trace = readTrace(fields);
  const aliases = findRecipients(fields, trace, context.base);
  const sessions = await findSessions(context, aliases, fetched.arrivedAt);
  if (sessions.length === 0) {
    progress.countUnmatched(1);
    return undefined;
  }
  const envelope = { sessions, mailFrom: trace.mailFrom, remote: trace.remote };
  if (context.parts.receiver.refuseBlockedGmailSender(envelope, fetched.sizeBytes)) return undefined;
  const owners = await inTurn(context, fetched, () => deliver(mailbox, fetched, envelope));
  return owners.length === 0
    ? undefined
    : { uid: fetched.uid, tag: tagOf(context, fetched), sessions: owners };
}

/** Large bodies are fetched one after another, over all accounts, since each is in memory until stored. */
function inTurn<T>(
  { bodies }: PollContext,
  { sizeBytes }: FetchedHeader,
  work: () => Promise<T>,
): Promise<T> {
  return sizeBytes <= bodyPieceBytes ? work() : bodies.run(work);
}

/** Returns the sessions that received it, now or before. */
async function deliver(
  mailbox: Mailbox,
  fetched: FetchedHeader,
  envelope: GmailEnvelope,
): Promise<readonly Session[]> {
  const { context, role } = mailbox;
  const startedAt = performance.now();
  const pieces = await fetchWithinBounds(mailbox, fetched, envelope);
  const fetchedAt = performance.now();
  // The new holder of the lease will deliver it.
  if (!pieces || context.signal.aborted) return [];
  const outcomes = await context.parts.receiver.receiveGmailMessage({
    ...envelope,
    origin: originOf(context, fetched),
    pieces,
    isSpam: role === 'spam',
  });
  const { sizeBytes } = fetched;
  context.parts.traces?.record(toFetchSpan(mailbox, { startedAt, fetchedAt, sizeBytes, outcomes }));
  return envelope.sessions.filter((_, at) => outcomes[at] === 'stored' || outcomes[at] === 'duplicate');
}

/** Returns a tag that is the same whenever the message is fetched again. */
export function tagOf(context: PollContext, fetched: FetchedHeader): string {
  return fetched.serverId ?? originOf(context, fetched).toString('hex');
}

function originOf({ account }: PollContext, { serverId, header }: FetchedHeader): Buffer {
  return toOrigin({ accountId: account.id, serverId, header, fields: readFields(header) });
}

function readFields(header: Buffer): RawField[] {
  return readHeaderFields(header, 0, { bytesMax: header.length, fieldsMax: headerFieldsMax }).fields;
}

async function findSessions(
  { parts }: PollContext,
  aliases: readonly string[],
  arrivedAt: number | undefined,
): Promise<Session[]> {
  const sessions: Session[] = [];
  for (const alias of aliases) {
    const session = await parts.receiver.findAliasSession(alias);
    // Mail that arrived before the session belongs to someone else.
    if (session && arrivedAt !== undefined && arrivedAt >= session.createdAt - clockSlackMs) {
      sessions.push(session);
    }
  }
  return sessions;
}

async function fetchWithinBounds(
  { context, connection, progress }: Mailbox,
  { uid, sizeBytes }: FetchedHeader,
  envelope: GmailEnvelope,
): Promise<Buffer[] | undefined> {
  const { receiver, settings } = context.parts;
  const { messageMaxBytes } = settings;
  if (sizeBytes > messageMaxBytes) {
    receiver.refuseLargeGmailMessage(envelope, sizeBytes);
    return undefined;
  }
  await progress.checkBudget(connection, sizeBytes);
  const pieces = await fetchBody(connection, uid, messageMaxBytes);
  if (pieces === 'too-large') receiver.refuseLargeGmailMessage(envelope, messageMaxBytes + 1);
  return typeof pieces === 'string' ? undefined : pieces;
}
