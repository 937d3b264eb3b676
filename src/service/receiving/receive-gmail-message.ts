// Delivers one message that a poller fetched from an operator's account to the sessions of the aliases that the poller
// found it addressed to. Resolves only after the commit. Rejects when nothing was stored, and the poller's cursor must
// then not pass the message.

import { headBytes } from '../../domain/limits.ts';
import type { MessageSource, RawMessage } from '../../domain/message.ts';
import type { Session } from '../../domain/session.ts';
import type { DeliveryOutcome } from '../../store/mail-store.ts';
import { type DeliverDeps, deliverToSessions, nextIngestId, toMeta } from './deliver-to-sessions.ts';
import type { DeliveryLog } from '../records/delivery-log.ts';
import type { Received } from '../records/recent-deliveries.ts';

export interface ReceiveGmailDeps extends DeliverDeps {
  readonly deliveryLog: DeliveryLog;
  /** Reports whether the operator blocked the sender. */
  isSenderBlocked(mailFrom: string | null): boolean;
  /** Called with the result of each message that named sessions' aliases. */
  onGmailMessage(result: GmailResult): void;
  /** Called after the commit of each message that was stored for a session. */
  onReceived(received: Received): void;
}

/** `reason` is the name of the same refusal over SMTP. */
export type GmailResult =
  | { readonly outcome: 'stored'; readonly sizeBytes: number }
  | { readonly outcome: 'refused'; readonly reason: 'recipient_full' | 'too_big' | 'blocked_sender' };

/** The host that handed the message to the account's server, according to that server's Received field. */
export type GmailRemote = Pick<MessageSource, 'remoteAddress' | 'helo' | 'tls'>;

export interface GmailEnvelope {
  /** Live when looked up; the commit checks again. At least one, each once. */
  readonly sessions: readonly Session[];
  /** From the Return-Path that the account's server wrote; null when it is empty or missing. */
  readonly mailFrom: string | null;
  readonly remote: GmailRemote;
}

export interface FetchedMessage extends GmailEnvelope {
  /** 16 bytes, the same whenever this message of this account is fetched again, from any folder. */
  readonly origin: Uint8Array;
  /** The bytes exactly as fetched, in pieces of any size; held until the promise settles. */
  readonly pieces: readonly Buffer[];
  /** Whether the account's server filed it as spam. */
  readonly isSpam: boolean;
}

/**
 * Resolves with one outcome per session, in order. `duplicate`: the session received this origin before, even if the
 * message was deleted since. `ended`, `full`: not stored; a full session's delivery log records it.
 */
export async function receiveGmailMessage(
  deps: ReceiveGmailDeps,
  message: FetchedMessage,
): Promise<DeliveryOutcome['outcome'][]> {
  const { sessions, mailFrom, remote, origin, isSpam } = message;
  const raw = toRaw(message.pieces);
  const envelope = { mailFrom, rcptTo: sessions.map(({ address }) => address) };
  const source = { protocol: 'IMAP', ...remote } as const;
  const meta = {
    ...toMeta({ raw, envelope, source }, nextIngestId()),
    ...(isSpam ? { isSpam: true as const } : {}),
  };
  // One by one: no reply covers several, so a full session must not keep the message from the others.
  const delivering = sessions.map((session) => deliverToSessions(deps, { raw, meta, origin }, [session]));
  const outcomes = (await Promise.all(delivering)).flat();
  const full = sessions.filter((_, index) => outcomes[index] === 'full');
  recordRefusal(deps, { ...message, sessions: full }, { reply: fullReply, sizeBytes: raw.sizeBytes });
  const { sizeBytes } = raw;
  if (outcomes.includes('stored')) {
    deps.onGmailMessage({ outcome: 'stored', sizeBytes });
    const accepted = outcomes.map((outcome) => (outcome === 'stored' ? ('accepted' as const) : undefined));
    deps.onReceived({ meta, sizeBytes, outcomes: accepted });
  } else if (full.length > 0) deps.onGmailMessage({ outcome: 'refused', reason: 'recipient_full' });
  return outcomes;
}

/** The same reply as over SMTP. */
const fullReply = '452 4.2.2 Recipient is over quota';
const tooLargeReply = '552 5.3.4 Message is too big';
const blockedReply = '550 5.7.1 Mail from this sender is refused here';

/** Records in the sessions' delivery logs a message over the size limit, whose body is never fetched. */
export function refuseLargeGmailMessage(
  deps: ReceiveGmailDeps,
  envelope: GmailEnvelope,
  sizeBytes: number,
): void {
  recordRefusal(deps, envelope, { reply: tooLargeReply, sizeBytes });
  deps.onGmailMessage({ outcome: 'refused', reason: 'too_big' });
}

/**
 * Reports whether the operator blocked the message's sender. If so, the sessions' delivery logs record it, and the
 * body must not be fetched.
 */
export function refuseBlockedGmailSender(
  deps: ReceiveGmailDeps,
  envelope: GmailEnvelope,
  sizeBytes: number,
): boolean {
  if (!deps.isSenderBlocked(envelope.mailFrom)) return false;
  recordRefusal(deps, envelope, { reply: blockedReply, sizeBytes });
  deps.onGmailMessage({ outcome: 'refused', reason: 'blocked_sender' });
  return true;
}

function recordRefusal(
  { deliveryLog }: ReceiveGmailDeps,
  { sessions, mailFrom, remote }: GmailEnvelope,
  { reply, sizeBytes }: { reply: string; sizeBytes: number },
): void {
  const { remoteAddress, tls } = remote;
  deliveryLog.recordRefusal(sessions, { reply, sizeBytes, remoteAddress, tls, mailFrom });
}

function toRaw(pieces: readonly Buffer[]): RawMessage {
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  let head: Buffer | undefined;
  return {
    sizeBytes,
    head: () => (head ??= pieces.length === 1 && pieces[0] ? pieces[0] : firstBytes(pieces)),
    pieces: () => pieces,
    release: () => undefined,
  };
}

function firstBytes(pieces: readonly Buffer[]): Buffer {
  const taken: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes >= headBytes) break;
    taken.push(piece);
    bytes += piece.length;
  }
  return Buffer.concat(taken).subarray(0, headBytes);
}
