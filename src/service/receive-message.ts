// Takes one message from a receiving protocol into the sessions it is for. Resolves only after the commit: what it
// answers may be told to the sender. Rejects when nothing was stored (the protocol answers 451).

import { randomBytes } from 'node:crypto';

import type { IncomingMessage, MessageMeta } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import { readSummary } from '../mime/summary.ts';
import { sealBytes } from '../secrets/seal.ts';
import type { DeliveryOutcome, MailStore } from '../store/mail-store.ts';
import { sealRaw } from './sealed-raw.ts';

export interface ReceiveMessageDeps {
  readonly mail: MailStore;
}

export interface ReceiveResult {
  /** `stored` when at least one session has it; else `full` if one was full, else `ended`. */
  readonly outcome: DeliveryOutcome['outcome'];
  /** Our id of the message, in its Received field and in the log. */
  readonly ingestId: string;
}

const processId = randomBytes(5).toString('hex');
let received = 0;

function nextIngestId(): string {
  received += 1;
  return `${processId}${received.toString(36).padStart(6, '0')}`;
}

export async function receiveMessage(
  deps: ReceiveMessageDeps,
  message: IncomingMessage,
  sessions: readonly Session[],
): Promise<ReceiveResult> {
  const ingestId = nextIngestId();
  const meta = Buffer.from(JSON.stringify(toMeta(message, ingestId)));
  const outcomes = await deps.mail.deliver(
    withoutRepeats(sessions).map((session) => ({
      key: session.key,
      sizeBytes: message.raw.sizeBytes,
      meta: sealBytes(session.dataKey, 'meta', meta),
      raw: sealRaw(session.dataKey, message.raw),
    })),
  );
  const kinds = outcomes.map(({ outcome }) => outcome);
  const outcome = kinds.includes('stored') ? 'stored' : kinds.includes('full') ? 'full' : 'ended';
  return { outcome, ingestId };
}

function toMeta({ raw, envelope, source }: IncomingMessage, ingestId: string): MessageMeta {
  const summary = readSummary(raw.head());
  return {
    ...summary,
    senderEmail: summary.senderEmail || (envelope.mailFrom ?? ''),
    envelope,
    source,
    ingestId,
  };
}

/** One recipient may be named twice, in two spellings. */
function withoutRepeats(sessions: readonly Session[]): readonly Session[] {
  if (sessions.length < 2) return sessions;
  return [
    ...new Map(sessions.map((session) => [Buffer.from(session.key).toString('latin1'), session])).values(),
  ];
}
