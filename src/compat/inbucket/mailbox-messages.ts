// Selects the session's messages that a request means. Used by the routes.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import type { Services } from '../../service/services.ts';
import type { SessionCall } from '../dialect.ts';
import { listAllHeads } from '../list-all.ts';
import { type MailboxName, parseMailboxName } from './mailbox-name.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

export interface OpenedMailbox {
  readonly session: OpenSession;
  readonly mailbox: MailboxName;
  /** Newest first. */
  readonly heads: readonly MessageHead[];
}

export interface OpenedMessage extends OpenedMailbox {
  readonly head: MessageHead;
  readonly id: number;
}

/** @throws MayflyError invalid_parameter */
export async function openMailbox(
  services: Pick<Services, 'listHeads'>,
  { live: { session }, parameters }: SessionCall,
): Promise<OpenedMailbox> {
  const mailbox = parseMailboxName(parameters['name'] ?? '');
  const all = await listAllHeads(services, session);
  return { session, mailbox, heads: all.filter(({ listed }) => listed.recipients.some(mailbox.holds)) };
}

/** Finds a message by its id, or the newest by `latest`. @throws MayflyError message_not_found */
function getHead({ heads }: OpenedMailbox, id: string): MessageHead {
  const found = id === 'latest' ? heads[0] : heads.find(({ listed }) => String(listed.id) === id);
  if (found) return found;
  throw new MayflyError('message_not_found', 'The mailbox has no message with this id.', { parameter: 'id' });
}

/** @throws MayflyError invalid_parameter, message_not_found */
export async function openMessage(
  services: Pick<Services, 'listHeads'>,
  call: SessionCall,
): Promise<OpenedMessage> {
  const opened = await openMailbox(services, call);
  const head = getHead(opened, call.parameters['id'] ?? '');
  return { ...opened, head, id: head.listed.id };
}
