// Stores composed messages in a session as if they had arrived by SMTP, before the call is answered. Nothing is sent:
// whatever recipients they name, they go nowhere else.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { headBytes } from '../../domain/limits.ts';
import type { RawMessage } from '../../domain/message.ts';
import type { OpenSession } from '../../service/session/session-access.ts';
import type { CompatContext } from '../dialect.ts';
import type { ComposedMessage } from '#senders/compose';

export interface Sent {
  readonly messages: readonly ComposedMessage[];
  readonly bodies: readonly Uint8Array<ArrayBuffer>[];
  readonly remoteAddress: string;
  readonly helo: string;
}

/**
 * Resolves when all are durable. The writes of one call wait together, so that one commit has them all.
 * @throws MayflyError body_too_large, invalid_parameter when the session is full, session_expired
 */
export async function storeMessages(
  context: Pick<CompatContext, 'receiving' | 'messageMaxBytes'>,
  session: OpenSession,
  { messages, bodies, remoteAddress, helo }: Sent,
): Promise<void> {
  const raws = messages.map(({ head, body }) => toRawMessage(head, bodies[body] ?? new Uint8Array()));
  requireRoom(context, session, raws);
  const stored = messages.map(async ({ mailFrom, rcptTo }, at) => {
    const raw = raws[at] ?? toRawMessage(new Uint8Array(), new Uint8Array());
    const source = { protocol: 'ESMTP', remoteAddress, helo, tls: null } as const;
    const incoming = { envelope: { mailFrom, rcptTo }, source, raw };
    return context.receiving.receiveMessage(incoming, [session]);
  });
  for (const { outcome } of await Promise.all(stored)) {
    if (outcome === 'full') throw sessionFull();
    if (outcome === 'forged') throw refusal('The domain of From wants such a message refused.');
    if (outcome === 'looping') throw refusal('The message has too many Received fields.');
    if (outcome !== 'stored') throw new MayflyError('session_expired', 'The session has ended.');
  }
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
