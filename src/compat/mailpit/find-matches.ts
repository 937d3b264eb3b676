// Finds the messages that match a search in Mailpit's language. Lists and headers are compared first; terms that need
// the text of a message use the service's own search, which caches its results.

import type { Session } from '../../domain/session.ts';
import type { Mailbox } from '@mayfly/mail-reader';
import type { MessageHead } from '../../service/message-heads.ts';
import type { Services } from '../../service/services.ts';
import { listAllHeads } from '../list-all.ts';
import { toBcc } from './mailpit-views.ts';
import type { SearchTerm, SearchTest, TextField } from './parse-search.ts';

type Searching = Pick<Services, 'listHeads' | 'findMessages' | 'loadParsedMail'>;

/** Newest first. */
export async function findMatches(
  services: Searching,
  session: Session,
  terms: readonly SearchTerm[],
): Promise<readonly MessageHead[]> {
  let heads = await listAllHeads(services, session);
  // Cheap tests first.
  for (const term of terms.filter(({ test }) => !needsMessage(test))) {
    heads = heads.filter((head) => holdsOfHead(head, term.test) !== term.isNegated);
  }
  for (const term of terms.filter(({ test }) => needsMessage(test))) {
    if (heads.length === 0) break;
    heads = await keepMatching({ services, session, heads }, term);
  }
  return heads;
}

function needsMessage(test: SearchTest): boolean {
  return test.kind === 'word' || (test.kind === 'mark' && test.mark === 'inline');
}

interface Left {
  readonly services: Searching;
  readonly session: Session;
  readonly heads: readonly MessageHead[];
}

async function keepMatching(
  { services, session, heads }: Left,
  { test, isNegated }: SearchTerm,
): Promise<MessageHead[]> {
  if (test.kind === 'word') {
    const found = await services.findMessages(session, { contains: test.text });
    const ids = new Set(found.map(({ id }) => id));
    return heads.filter((head) => (ids.has(head.listed.id) || isAddressed(head, test.text)) !== isNegated);
  }
  const kept: MessageHead[] = [];
  for (const head of heads) {
    const { parsed } = await services.loadParsedMail(session, head.listed.id);
    const hasInline = parsed.attachments.some(({ disposition }) => disposition === 'inline');
    if (hasInline !== isNegated) kept.push(head);
  }
  return kept;
}

function holdsOfHead(head: MessageHead, test: SearchTest): boolean {
  const { listed } = head;
  switch (test.kind) {
    case 'field':
      return holdsInField(head, test.field, test.text);
    case 'mark':
      return holdsMark(head, test.mark);
    case 'after':
      return listed.receivedAt >= test.at;
    case 'before':
      return listed.receivedAt <= test.at;
    case 'larger':
      return listed.sizeBytes > test.bytes;
    case 'smaller':
      return listed.sizeBytes < test.bytes;
    case 'word':
      return isAddressed(head, test.text);
  }
}

function holdsMark({ listed, attachmentCount }: MessageHead, mark: string): boolean {
  if (mark === 'read') return listed.isRead;
  if (mark === 'unread') return !listed.isRead;
  // No message here has Mailpit's tags.
  return mark === 'attachment' && attachmentCount > 0;
}

function holdsInField(head: MessageHead, field: TextField, text: string): boolean {
  switch (field) {
    case 'to':
      return holds(head.to, text);
    case 'from':
      return holds(sendersOf(head), text);
    case 'cc':
      return holds(head.cc, text);
    case 'bcc':
      return holds(bccOf(head), text);
    case 'reply-to':
      return holds(head.replyTo, text);
    case 'addressed':
      return isAddressed(head, text);
    case 'subject':
      return isIn(head.listed.subject, text);
    case 'message-id':
      return isIn(head.messageId, text.replace(/^<|>$/g, ''));
    case 'tag':
      return false;
  }
}

function isAddressed(head: MessageHead, text: string): boolean {
  return [sendersOf(head), head.to, head.cc, bccOf(head), head.replyTo].some((some) => holds(some, text));
}

function sendersOf({ listed }: MessageHead): Mailbox[] {
  return [{ name: listed.senderName, email: listed.senderEmail }];
}

function bccOf({ listed, to, cc, bcc }: MessageHead): Mailbox[] {
  const recipients = listed.recipients.filter((address) => !address.startsWith('*@'));
  return toBcc(recipients, [to, cc], bcc).map(({ Name, Address }) => ({ name: Name, email: Address }));
}

function holds(mailboxes: readonly Mailbox[], text: string): boolean {
  return mailboxes.some(
    ({ name, email }) => isIn(name, text) || isIn(email, text) || isIn(`${name} <${email}>`, text),
  );
}

function isIn(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
