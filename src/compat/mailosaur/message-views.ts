// Messages in Mailosaur's format, in short and in full. JSON for programs that assert on what a sender wrote: markup
// is unchanged. Pure.

import type { BodyContents, Mailbox } from '@mayfly/mail-reader';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import type { ParsedMail } from '../../service/mail/read-mail.ts';
import { toAttachmentId, toMessageId } from './ids.ts';

interface AddressView {
  readonly name: string;
  readonly email: string;
}

/** `attachments` also counts those shown within the HTML. */
export function toSummaryView(head: MessageHead, server: string, attachments: number): object {
  const { id, receivedAt, subject, preview, recipients } = head.listed;
  return {
    id: toMessageId(server, id),
    type: 'Email',
    server,
    from: head.from.slice(0, 1).map(toAddress),
    to: head.to.map(toAddress),
    cc: head.cc.map(toAddress),
    bcc: toBcc(recipients, [...head.to, ...head.cc]),
    received: new Date(receivedAt).toISOString(),
    subject,
    summary: preview,
    attachments,
  };
}

export interface FullView {
  readonly mail: ParsedMail;
  readonly contents: BodyContents;
  /** From the envelope, only this session's own. */
  readonly recipients: readonly string[];
  readonly server: string;
  /** This listener's origin, for links. */
  readonly origin: string;
}

export function toMessageView({ mail, contents, recipients, server, origin }: FullView): object {
  const { stored, parsed, meta } = mail;
  const { html, text } = contents;
  return {
    id: toMessageId(server, stored.id),
    type: 'Email',
    from: parsed.from ? [toAddress(parsed.from)] : [],
    to: parsed.to.map(toAddress),
    cc: parsed.cc.map(toAddress),
    bcc: toBcc(recipients, [...parsed.to, ...parsed.cc]),
    received: new Date(stored.receivedAt).toISOString(),
    subject: parsed.subject,
    html: { body: parsed.html, links: html.links, codes: html.codes.map(toCode), images: html.images },
    text: { body: parsed.text, links: text.links, codes: text.codes.map(toCode) },
    attachments: parsed.attachments.map((one) => {
      const id = toAttachmentId(server, stored.id, one.id);
      return {
        id,
        contentType: one.contentType,
        fileName: one.filename,
        // Clients use it to send files; received content is behind the link.
        content: null,
        contentId: one.contentId,
        length: one.size,
        url: `${origin}/api/files/attachments/${id}`,
      };
    }),
    metadata: {
      headers: parsed.headers.map(({ name, value }) => ({ field: name, value })),
      ehlo: meta.source.helo,
      mailFrom: meta.envelope.mailFrom,
      rcptTo: recipients.map((email) => ({ name: '', email })),
    },
    server,
  };
}

function toAddress({ name, email }: Mailbox): AddressView {
  return { name, email };
}

function toCode(value: string): { readonly value: string } {
  return { value };
}

/** Returns recipients that no header field names. */
function toBcc(recipients: readonly string[], named: readonly Mailbox[]): AddressView[] {
  const seen = new Set(named.map(({ email }) => email.toLowerCase()));
  return recipients.filter((email) => !seen.has(email.toLowerCase())).map((email) => ({ name: '', email }));
}
