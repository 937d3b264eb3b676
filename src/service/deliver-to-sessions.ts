// Puts one message into sessions, sealed for each, in one commit: the last step of every receiving protocol. Called by
// receive-message and receive-gmail-message. Rejects when nothing was stored. What readers who wait will be shown of it
// is begun before it is stored: nothing of it is told before.

import { randomBytes } from 'node:crypto';

import type { IncomingMessage, MessageMeta } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import { readSummary } from '../mime/summary.ts';
import type { DeliveryOutcome, MailStore } from '../store/mail-store.ts';
import type { LiveReaders } from './live-readers.ts';
import type { MessageGlances } from './message-glances.ts';
import { SessionDelivery } from './session-delivery.ts';
import { turnOwner } from './turn-owner.ts';

const processId = randomBytes(5).toString('hex');
let received = 0;

/** Our id of a message, in its Received field and in the log. */
export function nextIngestId(): string {
  received += 1;
  return `${processId}${received.toString(36).padStart(6, '0')}`;
}

export function toMeta({ raw, envelope, source }: IncomingMessage, ingestId: string): MessageMeta {
  const { senderName, senderEmail, subject } = readSummary(raw.head());
  return {
    senderName,
    senderEmail: senderEmail || (envelope.mailFrom ?? ''),
    subject,
    envelope,
    source,
    ingestId,
  };
}

export interface SessionsDelivery {
  readonly meta: MessageMeta;
  readonly sessions: readonly Session[];
  /** As Delivery.origin: where the message came from, so that no session gets it twice. */
  readonly origin?: Uint8Array;
}

export interface DeliverDeps {
  readonly mail: MailStore;
  readonly live: Pick<LiveReaders, 'isAwaited'>;
  readonly glances: Pick<MessageGlances, 'begin'>;
}

/** Outcomes in the order of the sessions. */
export async function deliverToSessions(
  { mail, live, glances }: DeliverDeps,
  { raw }: Pick<IncomingMessage, 'raw'>,
  { meta, sessions, origin }: SessionsDelivery,
): Promise<DeliveryOutcome['outcome'][]> {
  const [first] = sessions;
  if (!first) return [];
  const metaBytes = Buffer.from(JSON.stringify(meta));
  const noteStored = sessions.some(({ key }) => live.isAwaited(key))
    ? glances.begin(raw.head(), turnOwner(first))
    : undefined;
  const outcomes = await mail.deliver(
    sessions.map((session) => new SessionDelivery(session, { meta: metaBytes, raw, origin })),
  );
  // Before the readers, who are woken in a later turn.
  if (noteStored) {
    sessions.forEach((session, at) => {
      const stored = outcomes[at];
      if (stored?.outcome === 'stored') noteStored(session, stored.id);
    });
  }
  return outcomes.map(({ outcome }) => outcome);
}
