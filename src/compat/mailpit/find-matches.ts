// Finds the messages that match a search in Mailpit's language, in one pass over the session's mail. Lists and headers
// are compared first; a message is read only for what they do not answer, once for all of it.

import { isCaptureAddress } from '../../domain/addresses/capture.ts';
import { foldText } from '@mayfly/mail-reader';
import type { Mailbox } from '@mayfly/mail-reader';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import { SearchEffort } from '../../service/session/search-effort.ts';
import type { Services } from '../../service/services.ts';
import { listAllHeads } from '../list-all.ts';
import { toBcc } from './addresses.ts';
import { tagsOf } from './tags.ts';
import type { SearchTerm, SearchTest, TextField } from './parse-search.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

type Searching = Pick<Services, 'listHeads' | 'examineMail'>;

/** Newest first. @throws MayflyError unavailable when it takes long */
export async function findMatches(
  services: Searching,
  session: OpenSession,
  terms: readonly SearchTerm[],
): Promise<readonly MessageHead[]> {
  const heads = await listAllHeads(services, session);
  return new SearchEffort(session).keep(heads, (head) => isMatch({ services, session, head }, terms));
}

interface Compared {
  readonly services: Searching;
  readonly session: OpenSession;
  readonly head: MessageHead;
}

function isMatch(
  { services, session, head }: Compared,
  terms: readonly SearchTerm[],
): boolean | Promise<boolean> {
  const unanswered: SearchTerm[] = [];
  for (const term of terms) {
    const answer = holdsOfHead(head, term.test);
    if (answer === 'unknown') unanswered.push(term);
    else if (answer === term.isNegated) return false;
  }
  if (unanswered.length === 0) return true;
  const parts = unanswered.flatMap(({ test }) => (test.kind === 'word' ? [test.text] : []));
  return services.examineMail(session, { listed: head.listed, parts }).then((facts) =>
    unanswered.every(({ test, isNegated }) => {
      const holds = test.kind === 'word' ? facts?.foundParts[parts.indexOf(test.text)] : facts?.hasInline;
      return (holds === true) !== isNegated;
    }),
  );
}

function holdsOfHead(head: MessageHead, test: SearchTest): boolean | 'unknown' {
  const { listed } = head;
  switch (test.kind) {
    case 'field':
      return holdsInField(head, test.field, test.text);
    case 'mark':
      return test.mark === 'inline' ? 'unknown' : holdsMark(head, test.mark);
    case 'after':
      return listed.receivedAt >= test.at;
    case 'before':
      return listed.receivedAt <= test.at;
    case 'larger':
      return listed.rawSizeBytes > test.bytes;
    case 'smaller':
      return listed.rawSizeBytes < test.bytes;
    case 'word':
      return (
        isAddressed(head, test.text) || foldText(listed.subject).includes(foldText(test.text)) || 'unknown'
      );
  }
}

function holdsMark(head: MessageHead, mark: string): boolean {
  const { listed, attachmentCount } = head;
  if (mark === 'read') return listed.isRead;
  if (mark === 'unread') return !listed.isRead;
  if (mark === 'tagged') return tagsOf(head).length > 0;
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
      return tagsOf(head).some((tag) => tag.toLowerCase() === text.toLowerCase());
  }
}

function isAddressed(head: MessageHead, text: string): boolean {
  return [sendersOf(head), head.to, head.cc, bccOf(head), head.replyTo].some((some) => holds(some, text));
}

function sendersOf({ listed }: MessageHead): Mailbox[] {
  return [{ name: listed.senderName, email: listed.senderEmail }];
}

function bccOf({ listed, to, cc, bcc }: MessageHead): Mailbox[] {
  const recipients = listed.recipients.filter((address) => !isCaptureAddress(address));
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
