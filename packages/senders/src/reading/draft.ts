// The last step of every reader: a mail with what is shown of its call, as a message to be composed.

import type { Mailbox } from '@mayfly/mail-reader';
import type { ReadMessage } from '../compose.ts';
import type { HeaderField, MessageContent } from '../composing/message.ts';
import { readMessageId } from '../composing/message-id.ts';
import type { RefusedError } from '../refusal.ts';
import { parseAddressList } from './mail-parts.ts';
import { type Shown, toShownFields } from './shown-fields.ts';

export interface Draft {
  /** The sender's name, in lower case. */
  readonly service: string;
  /** As the service answers it, and unique. */
  readonly id: string;
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  /** Only in the envelope. */
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  /** The caller's own. */
  readonly fields: readonly HeaderField[];
  readonly shown: Shown;
  readonly content: MessageContent;
  readonly facts?: Readonly<Record<string, string>>;
}

/** Octets of what is shown besides the mail, so that every reader still finds the end of the header. */
const shownMaxBytes = 32 * 1024;
const recipientsMax = 1000;

/** @param refuse words a reason why the mail cannot be written, which is then thrown */
export function toReadMessage(draft: Draft, refuse: (reason: string) => RefusedError): ReadMessage {
  const { service, id, from, to, cc, bcc, subject, content } = draft;
  const { replyTo, others } = takeReplyTo(draft, refuse);
  const fields = [...others, ...toShownFields(service, [['message_id', id], ...draft.shown])];
  const length = fields.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
  if (length > shownMaxBytes) throw refuse('The headers, tags and settings are too long together.');
  const given = others.find(([name]) => name.toLowerCase() === 'message-id')?.[1];
  return {
    id,
    facts: draft.facts,
    about: {
      from: textOf(from),
      to: to.map(textOf),
      subject,
      shown: Object.fromEntries(draft.shown),
    },
    messageId: readMessageId(given ?? (id.includes('@') ? id : `${id}@${domainOf(from)}`)),
    mailFrom: from.email,
    rcptTo: [...to, ...cc, ...bcc].map(({ email }) => email),
    header: { from, to, cc, replyTo, subject, fields },
    content,
  };
}

/** Reply-To among the caller's fields is as good as the member for it, but only one of them. */
function takeReplyTo({ fields, replyTo }: Draft, refuse: (reason: string) => RefusedError) {
  const isReplyTo = ([name]: HeaderField): boolean => name.toLowerCase() === 'reply-to';
  const [given, ...more] = fields.filter(isReplyTo);
  if (!given) return { replyTo, others: fields };
  const parsed = parseAddressList(given[1], recipientsMax);
  if (!parsed || more.length > 0 || replyTo.length > 0) {
    throw refuse('There must be one Reply-To, and it must have valid addresses.');
  }
  return { replyTo: parsed, others: fields.filter((field) => !isReplyTo(field)) };
}

function textOf({ name, email }: Mailbox): string {
  return name === '' ? email : `${name} <${email}>`;
}

export function domainOf({ email }: Mailbox): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
