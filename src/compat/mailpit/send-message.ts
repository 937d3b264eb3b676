// POST /api/v1/send: stores a message in the session as if it had arrived by SMTP. Nothing is sent: whatever
// recipients it names, it goes nowhere else.

import { stringifyWellFormed } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { RawMessage } from '../../domain/message.ts';
import type { CompatContext, SessionRoute } from '../dialect.ts';
import { jsonHeaders } from './answers.ts';
import type { ComposedMessage } from './compose-message.ts';
import { MailpitIds } from './ids.ts';
import { type OpenSession, stillOpen } from '../../service/session/session-access.ts';

/** The whole body is read into memory. */
const bodyMaxBytes = 12 * 1024 * 1024;
const headBytes = 64 * 1024;
/** How many of the newest messages to search for the one just stored: others may have arrived since. */
const recentMax = 50;

export const sendRoute: SessionRoute = {
  access: 'session',
  method: 'POST',
  path: '/api/v1/send',
  summary:
    'stores a message in the session, whatever its recipients; it needs a sender and a recipient. Nothing is sent',
  bodyMaxBytes,
  run: async (context, { live: { session }, body, caller: { address: remoteAddress } }) => {
    const message = await context.composer.compose(body, session);
    const { bytes, messageId } = message;
    if (bytes.length > context.messageMaxBytes) {
      throw new MayflyError('body_too_large', `A message has at most ${context.messageMaxBytes} bytes.`);
    }
    await receive(context, session, { message, remoteAddress });
    const id = await findStored(context, session, messageId);
    const view = { ID: id === undefined ? '' : new MailpitIds(session).toId(id) };
    return { headers: jsonHeaders, body: stringifyWellFormed(view) };
  },
};

interface Sent {
  readonly message: ComposedMessage;
  readonly remoteAddress: string;
}

async function receive(
  { receiving }: CompatContext,
  session: OpenSession,
  { message: { bytes, mailFrom, rcptTo }, remoteAddress }: Sent,
): Promise<void> {
  if (receiving.isFull(session, bytes.length)) throw sessionFull();
  const { outcome } = await receiving.receiveMessage(
    {
      envelope: { mailFrom, rcptTo },
      source: { protocol: 'ESMTP', remoteAddress, helo: 'http', tls: null },
      raw: toRawMessage(Buffer.from(bytes.buffer)),
    },
    [session],
  );
  if (outcome === 'stored') return;
  if (outcome === 'full') throw sessionFull();
  if (outcome === 'forged') throw refusal('The domain of From wants such a message refused.');
  if (outcome === 'looping') throw refusal('The message has too many Received fields.');
  throw new MayflyError('session_expired', 'The session has ended.');
}

function sessionFull(): MayflyError {
  return refusal('The session is full; delete messages first.');
}

function refusal(message: string): MayflyError {
  return new MayflyError('invalid_parameter', message);
}

/** Resolves with undefined when it was deleted at once. */
async function findStored(
  { services }: CompatContext,
  session: OpenSession,
  messageId: string,
): Promise<number | undefined> {
  const now = await services.findSession(session.key);
  if (now.state !== 'live') return undefined;
  const open = stillOpen(now.session, session);
  const heads = await services.listHeads(open, { after: Math.max(0, now.session.seq - recentMax) });
  return heads.find((head) => head.messageId === messageId)?.listed.id;
}

function toRawMessage(bytes: Buffer): RawMessage {
  return {
    sizeBytes: bytes.length,
    head: () => bytes.subarray(0, headBytes),
    pieces: () => [bytes],
    release: () => undefined,
  };
}
