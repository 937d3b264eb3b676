// Answers in Guerrilla Mail's format: numbers of a message are text, times of addresses are numbers.

import { renderSafeHtml } from '@mayfly/mail-reader/html';

import { inSlices } from '#http-parts/slices';
import type { Session } from '../../domain/session.ts';
import { formatTimestamp } from '#values/timestamp';
import type { ListedMessage } from '../../service/mail/check-mail.ts';
import type { FullMessage } from '../../service/mail/read-mail.ts';
import type { SessionLimits } from '../../service/session/session-limits.ts';

/** Clients count an address's hour from its timestamp. */
const hourSeconds = 3600;

/** Images are left out, since their links belong to another interface. */
const noImage = (): string => 'data:,';

/** Should the sanitiser ever let one of these through, the text is shown instead. */
const neverSafe = /<(?:script|link|meta|i?frame|fencedframe|portal|object|embed|base|form)(?![a-z\d])/i;

const auth = { success: true, error_codes: [] } as const;

/** Returns how long an address lives: an hour, within the operator's bounds. */
export function addressSeconds({ lifetimeMinSeconds, lifetimeMaxSeconds }: SessionLimits): number {
  return Math.min(Math.max(hourSeconds, lifetimeMinSeconds), lifetimeMaxSeconds);
}

/** An hour before the end, whenever the address was made, so that clients compute the time left correctly. */
export function toAddressTime({ expiresAt }: Session): number {
  return Math.floor(expiresAt / 1000) - hourSeconds;
}

interface Asked {
  readonly session: Session;
  /** Undefined for the listener's default session. */
  readonly token: string | undefined;
}

export function toAddressView({ session, token }: Asked) {
  const { address } = session;
  return {
    email_addr: address,
    email_timestamp: toAddressTime(session),
    alias: toAlias(address),
    sid_token: token ?? '',
    // There are no subscriptions.
    s_active: 'N',
    s_date: '',
    s_time: 0,
    s_time_expires: 0,
  };
}

export function toRenamedView(asked: Asked) {
  const { address } = asked.session;
  return {
    alias_error: '',
    ...toAddressView(asked),
    site_id: 1,
    site: address.slice(address.indexOf('@') + 1),
    auth,
  };
}

/** Addresses have no second name here. */
function toAlias(address: string): string {
  return address.slice(0, address.indexOf('@'));
}

export function toDeletedView(deleted: readonly string[], token: string | undefined) {
  return { deleted_ids: deleted, sid_token: token ?? '', auth };
}

interface Listed extends Asked {
  readonly messages: readonly ListedMessage[];
  readonly count: number;
}

export function toListView({ session, token, messages, count }: Listed) {
  const { address, seq, messageCount } = session;
  return {
    list: messages.map(toItem),
    count: String(count),
    email: address,
    alias: toAlias(address),
    ts: toAddressTime(session),
    sid_token: token ?? '',
    // About this session only.
    stats: {
      sequence_mail: String(seq),
      created_addresses: 1,
      received_emails: String(messageCount),
      total: String(messageCount),
      total_per_hour: '0',
    },
    auth,
  };
}

function toItem(listed: ListedMessage) {
  return {
    mail_id: String(listed.id),
    mail_from: escapeAddress(listed.senderEmail),
    mail_subject: escapeHtml(listed.subject),
    mail_excerpt: escapeHtml(listed.preview),
    mail_timestamp: String(Math.floor(listed.receivedAt / 1000)),
    mail_read: listed.isRead ? '1' : '0',
    mail_date: formatTimestamp(listed.receivedAt),
    // Also where not all of the message could be read.
    att: listed.hasAttachments === false ? '0' : '1',
    mail_size: String(listed.sizeBytes),
    mail_recipient: listed.recipients.map(escapeAddress).join(', '),
  };
}

export async function toMessageView(message: FullMessage, token: string | undefined) {
  const { listed, parsed } = message;
  const { contentType, body } = await toMailBody(message);
  return {
    ...toItem(listed),
    mail_body: body,
    reply_to: parsed.replyTo.map(({ email }) => escapeAddress(email)).join(', '),
    content_type: contentType,
    size: listed.sizeBytes,
    sid_token: token ?? '',
    auth,
  };
}

interface MailBody {
  readonly contentType: 'text/html' | 'text/plain';
  readonly body: string;
}

/**
 * Returns the displayed body: sanitised HTML, or else the text with all markup escaped. Clients insert both into a page
 * unchanged.
 */
async function toMailBody({ parsed, html }: FullMessage): Promise<MailBody> {
  const safe = html?.kind === 'safe' ? renderSafeHtml(html.html, noImage) : null;
  if (safe !== null && !neverSafe.test(safe)) return { contentType: 'text/html', body: safe };
  return {
    contentType: 'text/plain',
    body: Buffer.concat(await inSlices(parsed.text, escapeHtml)).toString(),
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

function escapeCharacter(character: string): string {
  return entities[character] ?? character;
}

/** Like PHP's htmlspecialchars. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, escapeCharacter);
}

/** Escapes only what opens or closes markup, so that mail can still be sent to the address. */
function escapeAddress(address: string): string {
  return address.replace(/[<>"]/g, escapeCharacter);
}
