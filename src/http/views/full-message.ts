// Shows one message in full for read-mail. The sender's content is passed on as text, never as markup.

import { flagLink, type LinkFlag, type ParsedHeader, readUnsubscribe } from '@mayfly/mail-reader';
import { renderSafeHtml, type SafeHtml } from '@mayfly/mail-reader/html';
import type { Static } from '#http-parts/json-schema';

import type { MessageMeta } from '../../domain/message.ts';
import { formatTimestamp } from '#values/timestamp';
import type { ListedMessage } from '../../service/mail/check-mail.ts';
import type { FullMessage } from '../../service/mail/read-mail.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import { toAuthenticationView } from './authentication-view.ts';
import type { fullMessage } from './full-message-schema.ts';
import { toMessageSummary } from './message-summary.ts';
import {
  createPlainLinks,
  createTicketedLinks,
  type LinkContext,
  type MessageLinks,
} from './ticketed-links.ts';

type FullMessageView = Static<typeof fullMessage>;

export function toFullMessage(
  message: FullMessage,
  live: LiveSession,
  context: LinkContext,
): FullMessageView {
  const { listed, parsed } = message;
  return showFullMessage(message, createTicketedLinks({ id: listed.id, parsed }, live, context));
}

/** For webhooks, which have no token: the links need it added. */
export function toFullWebhookMessage(message: FullMessage, basePath: string): FullMessageView {
  const { listed, parsed } = message;
  return showFullMessage(message, createPlainLinks({ id: listed.id, parsed }, basePath));
}

function showFullMessage(
  { listed, parsed, html, meta, authentication }: FullMessage,
  paths: MessageLinks,
): FullMessageView {
  const safe = html?.kind === 'safe' ? html.html : null;
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
    // Never `parsed.html`, the sender's own markup.
    html: safe && renderSafeHtml(safe, paths.image),
    html_reason: html?.kind === 'failed' ? html.reason : null,
    html_url: html && paths.html,
    remote_content: safe?.remoteContent ?? 0,
    remote_images: safe?.remoteImages ?? 0,
    attachments: parsed.attachments.map((one) => ({
      id: one.id,
      filename: one.filename,
      content_type: one.contentType,
      picture_type: one.pictureType,
      size: one.size,
      disposition: one.disposition,
      content_id: one.contentId,
      url: paths.attachment(one.id),
    })),
    codes: codes.map(({ value, kind, confidence, context }) => ({ value, kind, confidence, context })),
    links: links.map(({ url, text, kind, clickable }) => {
      return { url, text, kind, clickable, flags: toFlags(url, text, safe) };
    }),
    unsubscribe: toUnsubscribe(headers),
    ...toAuthenticationView(authentication),
    envelope: toEnvelope(listed, meta),
    parse: parsed.parse.status,
    parse_reason: parsed.parse.reason,
    raw_url: paths.raw,
  };
}

/** Collects the flags of the link itself and of every place in the HTML that links to it. */
function toFlags(url: string, text: string, safe: SafeHtml | null): LinkFlag[] {
  const seen = safe?.flaggedLinks.find((one) => one.url === url)?.flags ?? [];
  return [...new Set([...flagLink(url, text), ...seen])];
}

function toUnsubscribe(headers: readonly ParsedHeader[]): FullMessageView['unsubscribe'] {
  const { url, mailto, oneClick } = readUnsubscribe(headers);
  return { url, mailto, one_click: oneClick };
}

function toMailbox({ name, email }: { name: string; email: string }): { name: string; email: string } {
  return { name, email };
}

const firstWritable = Date.parse('0001-01-01T00:00:00Z');

/** Returns null for an instant that a timestamp cannot represent; a Date field may say anything. */
function toDate(at: number | null): string | null {
  const isWritable = at !== null && at >= firstWritable && at < Date.UTC(10_000, 0);
  return isWritable ? formatTimestamp(at) : null;
}

/** Other recipients of the transaction belong to other sessions and are not shown. */
function toEnvelope({ recipients, tags }: ListedMessage, meta: MessageMeta): FullMessageView['envelope'] {
  const { envelope, source } = meta;
  return {
    mail_from: envelope.mailFrom,
    rcpt_to: [...recipients],
    tags: [...tags],
    remote_ip: source.remoteAddress,
    tls: source.tls,
    helo: source.helo,
  };
}
