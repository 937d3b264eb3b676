// One message in full as read-mail shows it. What the sender wrote is passed on as text, never as markup.

import type { Static } from 'typebox';

import type { MessageMeta } from '../../domain/message.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { createTicket } from '../../secrets/ticket.ts';
import type { FullMessage } from '../../service/read-mail.ts';
import type { LiveSession } from '../../service/session-access.ts';
import { attachmentOperation, rawMailOperation, rawTicketPart } from './download.ts';
import type { fullMessage } from './full-message-schema.ts';
import { toMessageSummary } from './message-summary.ts';

type FullMessageView = Static<typeof fullMessage>;

export function toFullMessage(
  { listed, parsed, meta }: FullMessage,
  { session, now }: LiveSession,
  basePath: string,
): FullMessageView {
  const ticketFor = (part: string): string => createTicket(session, { messageId: listed.id, part }, now);
  const { to, cc, replyTo, headers, codes, links } = parsed;
  return {
    ...toMessageSummary(listed),
    to: to.map(toMailbox),
    cc: cc.map(toMailbox),
    reply_to: replyTo.map(toMailbox),
    date: toDate(parsed.date),
    message_id: parsed.messageId,
    headers: headers.map(({ name, value }) => ({ name, value })),
    text: parsed.text,
    // `parsed.html` is the sender's own markup: it does not go out until it can be sanitised.
    html: null,
    remote_content: 0,
    attachments: parsed.attachments.map((one) => ({
      id: one.id,
      filename: one.filename,
      content_type: one.contentType,
      size: one.size,
      disposition: one.disposition,
      content_id: one.contentId,
      url: toUrl(basePath + attachmentOperation.path, {
        id: listed.id,
        part: one.id,
        ticket: ticketFor(one.id),
      }),
    })),
    codes: codes.map(({ value, kind, confidence, context }) => ({ value, kind, confidence, context })),
    links: links.map(({ url, text, kind }) => ({ url, text, kind })),
    authentication: { spf: null, dkim: null, dmarc: null },
    envelope: toEnvelope(meta, session.address),
    parse: parsed.parse.status,
    parse_reason: parsed.parse.reason,
    raw_url: toUrl(basePath + rawMailOperation.path, { id: listed.id, ticket: ticketFor(rawTicketPart) }),
  };
}

function toMailbox({ name, email }: { name: string; email: string }): { name: string; email: string } {
  return { name, email };
}

const firstWritable = Date.parse('0001-01-01T00:00:00Z');

/** Null for an instant that the timestamp cannot write; a Date field may say anything. */
function toDate(at: number | null): string | null {
  const isWritable = at !== null && at >= firstWritable && at < Date.UTC(10_000, 0);
  return isWritable ? formatTimestamp(at) : null;
}

/** Other recipients of the transaction are other people's sessions: they are not shown. */
function toEnvelope({ envelope, source }: MessageMeta, address: string): FullMessageView['envelope'] {
  const own = envelope.rcptTo.filter((recipient) => recipient.toLowerCase() === address.toLowerCase());
  return {
    mail_from: envelope.mailFrom,
    rcpt_to: own.length > 0 ? own : [address],
    remote_ip: source.remoteAddress,
    tls: source.tls,
    helo: source.helo,
  };
}

function toUrl(path: string, query: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}?${pairs.join('&')}`;
}
