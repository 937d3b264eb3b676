// Seals one message for each of its sessions and stores them in one commit: the last step of every receiving protocol.
// Called by receive-message and receive-gmail-message. Rejects when nothing was stored. For sessions with waiting
// readers the glance is started before the commit and shown after it.

import { randomBytes } from 'node:crypto';

import { readSummary } from '@mayfly/mail-reader/header';

import { headBytes, rawChunkBytes } from '../../domain/limits.ts';
import type { IncomingMessage, MessageMeta, RawMessage } from '../../domain/message.ts';
import type { Session } from '../../domain/session.ts';
import type { SealTarget } from '#sealing/sealed-format';
import { sealer } from '#sealing/sealer';
import type { Delivery, DeliveryOutcome, MailStore, RawChunks } from '../../store/mail-store.ts';
import type { LiveReaders } from '../live/live-readers.ts';
import type { MessageGlances } from '../mail/message-glances.ts';
import { turnOwner } from '../session/turn-owner.ts';

/**
 * Messages up to this size are sealed before the commit; larger ones are sealed during it, with a single chunk in
 * memory at a time.
 */
const sealedAtOnceBytes = 16 * 1024;

const processId = randomBytes(5).toString('hex');
let received = 0;

/** Returns a new id of a message, for its Received field and the log. */
export function nextIngestId(): string {
  received += 1;
  return `${processId}${received.toString(36).padStart(6, '0')}`;
}

export function toMeta({ raw, envelope, source }: IncomingMessage, ingestId: string): MessageMeta {
  const { senderName, senderEmail, subject } = readSummary(headerOf(raw));
  return {
    senderName,
    senderEmail: senderEmail || (envelope.mailFrom ?? ''),
    subject,
    envelope,
    source,
    ingestId,
  };
}

/** Returns first bytes with the whole header, or as much of it as `head` has; joins nothing for most messages. */
export function headerOf(raw: RawMessage): Buffer {
  const [first] = raw.pieces();
  return first && first.length <= headBytes && first.includes('\r\n\r\n') ? first : raw.head();
}

export interface DeliverDeps {
  readonly mail: MailStore;
  readonly live: Pick<LiveReaders, 'isAwaited'>;
  readonly glances: Pick<MessageGlances, 'begin'>;
  /** Called for each session that the message was stored in, while its bytes are in hand. Must not throw. */
  readonly onDelivered: (session: Session, delivered: Delivered) => void;
}

/** A message that was just stored in a session. */
export interface Delivered {
  readonly id: number;
  /** ms since 1970. */
  readonly receivedAt: number;
  readonly meta: MessageMeta;
  /** Released soon: what is needed later must be taken at once. */
  readonly raw: RawMessage;
  /** Whether its glance is being made already, for a reader who waits. */
  readonly hasGlance: boolean;
}

export interface SharedMessage {
  readonly raw: RawMessage;
  /** A function where it differs between sessions. */
  readonly meta: MessageMeta | ((session: Session) => MessageMeta);
  /** As in Delivery: identifies the origin of the message, so that no session receives it twice. */
  readonly origin?: Uint8Array | undefined;
}

/** Returns outcomes in the order of the sessions. */
export async function deliverToSessions(
  { mail, live, glances, onDelivered }: DeliverDeps,
  message: SharedMessage,
  sessions: readonly Session[],
): Promise<DeliveryOutcome['outcome'][]> {
  const [first] = sessions;
  if (!first) return [];
  const { raw, origin, meta } = message;
  const metas = sessions.map(typeof meta === 'function' ? meta : () => meta);
  const shared = typeof meta === 'function' ? undefined : Buffer.from(JSON.stringify(meta));
  const recordStored = sessions.some(({ key }) => live.isAwaited(key))
    ? glances.begin(raw.head(), turnOwner(first))
    : undefined;
  const outcomes = await mail.deliver(
    sessions.map((session, at): Delivery => {
      const { key } = session;
      const plain = shared ?? Buffer.from(JSON.stringify(metas[at]));
      const sealedMeta = sealer.seal(session, 'meta', plain);
      return { key, sizeBytes: raw.sizeBytes, meta: sealedMeta, raw: sealRaw(session, raw), origin };
    }),
  );
  // Before the readers are woken, which happens in a later turn.
  if (recordStored) {
    sessions.forEach((session, at) => {
      const stored = outcomes[at];
      if (stored?.outcome === 'stored') recordStored(session, stored.id);
    });
  }
  sessions.forEach((session, at) => {
    const stored = outcomes[at];
    const own = metas[at];
    if (stored?.outcome !== 'stored' || !own) return;
    const { id, receivedAt } = stored;
    onDelivered(session, { id, receivedAt, meta: own, raw, hasGlance: recordStored !== undefined });
  });
  return outcomes.map(({ outcome }) => outcome);
}

/** Returns sealed chunks of at most 256 KiB; at least one, even for an empty message. Can be iterated again. */
export function sealRaw(session: SealTarget, raw: RawMessage): RawChunks {
  if (raw.sizeBytes <= sealedAtOnceBytes) return [sealer.seal(session, 'raw', raw.head())];
  const seal = (nextSlab?: () => Buffer): Generator<Uint8Array> =>
    sealer.sealChunks(session, toChunks(raw), nextSlab);
  return { [Symbol.iterator]: () => seal(), into: seal };
}

/** Yields the pieces of each chunk. */
function* toChunks(raw: RawMessage): Generator<readonly Buffer[]> {
  if (raw.sizeBytes <= rawChunkBytes) {
    yield [...raw.pieces()];
    return;
  }
  let held: Buffer[] = [];
  let heldBytes = 0;
  for (const piece of raw.pieces()) {
    for (let from = 0; from < piece.length;) {
      const part = piece.subarray(from, from + rawChunkBytes - heldBytes);
      held.push(part);
      heldBytes += part.length;
      from += part.length;
      if (heldBytes === rawChunkBytes) {
        yield held;
        held = [];
        heldBytes = 0;
      }
    }
  }
  if (heldBytes > 0) yield held;
}
