// Stores a message that the holder of a session has as a file, sealed and announced as if it had arrived just now. It is
// not judged like mail from strangers: it goes into that session alone. Resolves only after the commit.

import { firstValue, parseMailboxes, readHeaderFields, readSummary } from '@mayfly/mail-reader/header';

import { parseMailbox } from '#mail-receiver/address';
import { isCapture } from '../../domain/addresses/capture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { IncomingMessage, RawMessage } from '../../domain/message.ts';
import { sessionExpired } from '../../domain/gone.ts';
import type { Session } from '../../domain/session.ts';
import type { Received } from '../records/recent-deliveries.ts';
import {
  type DeliverDeps,
  deliverToSessions,
  headerOf,
  nextIngestId,
  toMeta,
} from './deliver-to-sessions.ts';

export interface ImportDeps extends DeliverDeps {
  /** Called after the commit. */
  readonly onReceived: (received: Received) => void;
}

export interface ImportedFile {
  readonly raw: RawMessage;
  /** The client's, which sent the file. */
  readonly remoteAddress: string;
}

const headerLimits = { bytesMax: 64 * 1024, fieldsMax: 500 };
const recipientsMax = 100;

/** Returns the message's id. @throws MayflyError session_full, session_expired */
export async function importMessage(
  deps: ImportDeps,
  session: Session,
  { raw, remoteAddress }: ImportedFile,
): Promise<number> {
  const message = toIncoming(session, { raw, remoteAddress });
  const meta = toMeta(message, nextIngestId());
  let id: number | undefined;
  const noting: DeliverDeps = {
    ...deps,
    onDelivered: (receiver, delivered) => {
      id = delivered.id;
      deps.onDelivered(receiver, delivered);
    },
  };
  const [outcome] = await deliverToSessions(noting, { raw, meta }, [session]);
  if (outcome === 'full') {
    throw new MayflyError('session_full', 'The session is full; delete messages first.');
  }
  if (id === undefined) throw sessionExpired();
  deps.onReceived({ meta, sizeBytes: raw.sizeBytes, outcomes: ['accepted'] });
  return id;
}

function toIncoming(session: Session, { raw, remoteAddress }: ImportedFile): IncomingMessage {
  const { senderEmail } = readSummary(headerOf(raw));
  return {
    envelope: {
      mailFrom: parseMailbox(senderEmail, true) ? senderEmail : null,
      rcptTo: isCapture(session) ? recipientsOf(raw, session) : [session.address],
    },
    source: { protocol: 'ESMTP', remoteAddress, helo: 'import', tls: null },
    raw,
  };
}

/** A session of many addresses shows a message by those that its header names. */
function recipientsOf(raw: RawMessage, { address }: Session): readonly string[] {
  const { fields } = readHeaderFields(headerOf(raw), 0, headerLimits);
  const named = ['to', 'cc']
    .flatMap((name) => parseMailboxes(firstValue(fields, name) ?? '', recipientsMax))
    .flatMap(({ email }) => (parseMailbox(email, true) ? [email] : []));
  return named.length === 0 ? [address] : named.slice(0, recipientsMax);
}
