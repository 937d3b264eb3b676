// Stores composed messages in a session as if they had arrived by SMTP, before the call is answered. Nothing is sent:
// whatever recipients they name, they go nowhere else.

import { parseMailbox } from '#mail-receiver/address';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { headBytes } from '../../domain/limits.ts';
import type { RawMessage } from '../../domain/message.ts';
import type { Session } from '../../domain/session.ts';
import { isSession } from '../../service/session/recipient.ts';
import type { OpenSession } from '../../service/session/session-access.ts';
import type { CompatContext } from '../dialect.ts';
import type { ComposedMessage } from '#senders/compose';

export interface Sent {
  readonly messages: readonly ComposedMessage[];
  readonly bodies: readonly Uint8Array<ArrayBuffer>[];
  readonly remoteAddress: string;
  readonly helo: string;
  /** For a call that is carried out once: the origin of the message at this place. */
  readonly originOf?: ((place: number) => Uint8Array) | undefined;
  /** Whether sessions whose addresses are recipients get the mail, and this session only what is for no other. */
  readonly isByRecipient?: boolean;
}

/**
 * Resolves when all are durable. The writes of one call wait together, so that one commit has them all. `repeat`: all
 * were stored before.
 * @throws MayflyError body_too_large, invalid_parameter when the session is full, session_expired
 */
export async function storeMessages(
  context: Pick<CompatContext, 'receiving' | 'messageMaxBytes'>,
  session: OpenSession,
  { messages, bodies, remoteAddress, helo, originOf, isByRecipient = false }: Sent,
): Promise<'stored' | 'repeat'> {
  const raws = messages.map(({ head, body }) => toRawMessage(head, bodies[body] ?? new Uint8Array()));
  // The commit decides whether those of a repeated call need any.
  if (!originOf) requireRoom(context, session, raws);
  const stored = messages.map(async ({ mailFrom, rcptTo }, at) => {
    const raw = raws[at] ?? toRawMessage(new Uint8Array(), new Uint8Array());
    const source = { protocol: 'ESMTP', remoteAddress, helo, tls: null } as const;
    const incoming = { envelope: { mailFrom, rcptTo }, source, raw, origin: originOf?.(at) };
    const recipients = isByRecipient ? await resolve(context, session, rcptTo) : [session];
    return context.receiving.receiveMessage(incoming, recipients);
  });
  const results = await Promise.all(stored);
  for (const { outcome } of results) {
    if (outcome === 'full') throw sessionFull();
    if (outcome === 'forged') throw refusal('The domain of From wants such a message refused.');
    if (outcome === 'looping') throw refusal('The message has too many Received fields.');
    if (outcome !== 'stored') throw new MayflyError('session_expired', 'The session has ended.');
  }
  return results.length > 0 && results.every(({ isRepeat }) => isRepeat) ? 'repeat' : 'stored';
}

/** Returns one for each address, as for a connection over SMTP that authenticated as the session. */
function resolve(
  { receiving }: Pick<CompatContext, 'receiving'>,
  session: OpenSession,
  rcptTo: readonly string[],
): Promise<readonly Session[]> {
  const context = { captureSession: session.key };
  return Promise.all(
    rcptTo.map(async (text) => {
      const address = parseMailbox(text, true);
      const resolution = address && (await receiving.resolveRecipient(address, context));
      const recipient = resolution && 'recipient' in resolution ? resolution.recipient : session;
      return isSession(recipient) ? recipient : session;
    }),
  );
}

/** Asked for all of them before the first is stored. */
function requireRoom(
  { receiving, messageMaxBytes }: Pick<CompatContext, 'receiving' | 'messageMaxBytes'>,
  session: OpenSession,
  raws: readonly RawMessage[],
): void {
  let { messageCount, messageBytes } = session;
  for (const { sizeBytes } of raws) {
    if (sizeBytes > messageMaxBytes) {
      throw new MayflyError('body_too_large', `A message has at most ${messageMaxBytes} bytes.`);
    }
    if (receiving.isFull({ ...session, messageCount, messageBytes }, sizeBytes)) throw sessionFull();
    messageCount += 1;
    messageBytes += sizeBytes;
  }
}

function sessionFull(): MayflyError {
  return refusal('The session is full; delete messages first.');
}

function refusal(message: string): MayflyError {
  return new MayflyError('invalid_parameter', message);
}

function toRawMessage(head: Uint8Array<ArrayBuffer>, body: Uint8Array<ArrayBuffer>): RawMessage {
  const pieces = [Buffer.from(head.buffer), Buffer.from(body.buffer)];
  return {
    sizeBytes: head.length + body.length,
    head: () => Buffer.concat(pieces.map((piece) => piece.subarray(0, headBytes))).subarray(0, headBytes),
    pieces: () => pieces,
    release: () => undefined,
  };
}
