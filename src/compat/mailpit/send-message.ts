// POST /api/v1/send: stores a message in the session as if it had arrived by SMTP. Nothing is sent: whatever
// recipients it names, it goes nowhere else.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { RawMessage } from '../../domain/message.ts';
import type { Session } from '../../domain/session.ts';
import { type Answer, stringifyWellFormed } from '../../http/answers/answer.ts';
import type { CompatApp, CompatCall, CompatContext } from '../dialect.ts';
import { jsonHeaders } from './answers.ts';
import type { ComposedMessage } from './compose-message.ts';
import { MailpitIds } from './ids.ts';

type Serving = Pick<CompatContext, 'services' | 'receiving' | 'messageMaxBytes' | 'composer'>;

/** The whole body is read into memory. */
const bodyMaxBytes = 12 * 1024 * 1024;
const headBytes = 64 * 1024;
/** How many of the newest messages to search for the one just stored: others may have arrived since. */
const recentMax = 50;

export function addSendRoute(app: CompatApp, context: Serving): void {
  app.add({
    method: 'POST',
    path: '/api/v1/send',
    bodyMaxBytes,
    serve: (call) => send(context, call),
  });
}

async function send(context: Serving, call: CompatCall): Promise<Answer> {
  const { session } = await call.authenticate();
  const message = await context.composer.compose(call.body, session);
  const { bytes, messageId } = message;
  if (bytes.length > context.messageMaxBytes) {
    throw new MayflyError('body_too_large', `A message has at most ${context.messageMaxBytes} bytes.`);
  }
  await receive(context, session, { message, remoteAddress: call.caller.address });
  const id = await findStored(context, session, messageId);
  return {
    headers: jsonHeaders,
    body: stringifyWellFormed({ ID: id === undefined ? '' : new MailpitIds(session).toId(id) }),
  };
}

interface Sent {
  readonly message: ComposedMessage;
  readonly remoteAddress: string;
}

async function receive(
  { receiving }: Serving,
  session: Session,
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
  { services }: Serving,
  session: Session,
  messageId: string,
): Promise<number | undefined> {
  const now = await services.findSession(session.key);
  if (now.state !== 'live') return undefined;
  const heads = await services.listHeads(now.session, { after: Math.max(0, now.session.seq - recentMax) });
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
