// Puts one message into sessions, sealed for each, in one commit: the last step of every receiving protocol. Called by
// receive-message and receive-gmail-message. Rejects when nothing was stored.

import { randomBytes } from 'node:crypto';

import type { IncomingMessage, MessageMeta } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import { readSummary } from '../mime/summary.ts';
import { sealBytes } from '../secrets/seal.ts';
import type { DeliveryOutcome, MailStore } from '../store/mail-store.ts';
import { sealRaw } from './sealed-raw.ts';

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

/** Outcomes in the order of the sessions. */
export async function deliverToSessions(
  { mail }: { readonly mail: MailStore },
  { raw }: Pick<IncomingMessage, 'raw'>,
  { meta, sessions, origin }: SessionsDelivery,
): Promise<DeliveryOutcome['outcome'][]> {
  if (sessions.length === 0) return [];
  const metaBytes = Buffer.from(JSON.stringify(meta));
  const outcomes = await mail.deliver(
    sessions.map((session) => ({
      key: session.key,
      sizeBytes: raw.sizeBytes,
      meta: sealBytes(session.dataKey, 'meta', metaBytes),
      raw: sealRaw(session.dataKey, raw),
      origin,
    })),
  );
  return outcomes.map(({ outcome }) => outcome);
}
