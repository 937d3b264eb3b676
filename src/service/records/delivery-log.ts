// The delivery log of a session: the last attempts to deliver to its address, to answer "why has my mail not arrived?".
// Accepted ones are derived from the messages and cost nothing on the receiving path; refused ones are stored in the
// background, at most one per second and session.

import { GcraLimiter } from '#networks/gcra-limiter';
import { attemptLogMaxEntries, type DeliveryAttempt } from '../../domain/attempt.ts';
import type { MessageMeta } from '../../domain/message.ts';
import { type Session, toKeyText } from '../../domain/session.ts';
import { sealer } from '#sealing/sealer';
import type { AttemptStore, StoredAttempt } from '../../store/attempt-store.ts';
import type { MailStore, StoredMessage } from '../../store/mail-store.ts';
import { openMeta } from '../session/open-meta.ts';
import { isSession, type Recipient } from '../session/recipient.ts';
import type { OpenSession } from '../session/session-access.ts';

export interface LoggedAttempt extends DeliveryAttempt {
  /** ms since 1970. */
  readonly at: number;
  /** Null when it was refused, or the message has been deleted. */
  readonly messageId: number | null;
}

/** A refused attempt, with what is only for the operator. */
export interface RefusedAttempt extends Omit<DeliveryAttempt, 'outcome'> {
  /** The name that the host gave. */
  readonly helo?: string;
  /** The connection's id, as in the log. */
  readonly connection?: string;
}

/** The sending host, and the sender it named. */
export type RefusedPeer = Omit<RefusedAttempt, 'reply' | 'sizeBytes'>;

export interface DeliveryLog {
  /**
   * Notes the refusal for each session among the recipients. Returns at once; a failure to store it goes to the log of
   * the service.
   */
  recordRefusal(recipients: readonly Recipient[], refused: RefusedAttempt): void;
  /**
   * Newest first. Leaves out attempts from before the session began, which belong to an earlier holder of the address.
   */
  listAttempts(session: OpenSession): Promise<LoggedAttempt[]>;
}

export interface DeliveryLogOptions {
  readonly mail: MailStore;
  readonly attempts: AttemptStore;
  readonly onError: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

export function createDeliveryLog({ mail, attempts, onError, clock }: DeliveryLogOptions): DeliveryLog {
  const limiter = new GcraLimiter({ count: 1, periodMs: 1000 }, clock);
  return {
    recordRefusal(recipients, { reply, sizeBytes, remoteAddress, tls, mailFrom }) {
      const refused = { reply, sizeBytes, remoteAddress, tls, mailFrom };
      for (const recipient of recipients) {
        if (!isSession(recipient) || !isDue(limiter, recipient)) continue;
        const sealed = sealAttempt(recipient, { outcome: 'refused', ...refused });
        attempts.addAttempt(recipient.key, sealed).catch(onError);
      }
    },
    async listAttempts(session) {
      const kept = await attempts.listAttempts(session.key);
      const messages = await mail.listMessages(session.key, {
        limit: attemptLogMaxEntries,
        order: 'newest-first',
      });
      const logged = [
        ...messages.map((message) => ofMessage(session, message)),
        ...kept.map((attempt) => ofAttempt(session, attempt)),
      ];
      return logged.sort((one, other) => other.at - one.at).slice(0, attemptLogMaxEntries);
    },
  };
}

/** Seals the entry that remains in the log when a message is deleted, without anything from the message. */
export function sealAcceptedAttempt(session: OpenSession, message: StoredMessage): Uint8Array {
  return sealAttempt(session, toAccepted(session, message));
}

function isDue(limiter: GcraLimiter, { key }: Session): boolean {
  return limiter.take(toKeyText(key)).isAllowed;
}

function sealAttempt(session: Session, attempt: DeliveryAttempt): Uint8Array {
  return sealer.seal(session, 'attempt', Buffer.from(JSON.stringify(attempt)));
}

function ofAttempt({ reading }: OpenSession, { at, sealed }: StoredAttempt): LoggedAttempt {
  const attempt = JSON.parse(reading.open('attempt', sealed).toString()) as DeliveryAttempt;
  return { ...attempt, at, messageId: null };
}

function ofMessage(session: OpenSession, message: StoredMessage): LoggedAttempt {
  return { ...toAccepted(session, message), at: message.receivedAt, messageId: message.id };
}

/** Composes the reply as packages/mail-receiver/src/reply.ts did when the message was accepted; it is not stored. */
export function acceptedReply({ source, ingestId }: MessageMeta): string {
  return source.protocol === 'IMAP' ? `Fetched over IMAP as ${ingestId}` : `250 2.0.0 OK ${ingestId}`;
}

function toAccepted(session: OpenSession, message: StoredMessage): DeliveryAttempt {
  const meta = openMeta(session, message);
  const { envelope, source } = meta;
  return {
    outcome: 'accepted',
    reply: acceptedReply(meta),
    sizeBytes: message.sizeBytes,
    remoteAddress: source.remoteAddress,
    tls: source.tls,
    mailFrom: envelope.mailFrom,
  };
}
