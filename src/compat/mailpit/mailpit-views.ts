// Messages in Mailpit's shapes. Arrays are never null, because clients iterate over them.

import type { Attachment, Mailbox, ParsedMessage } from '@mayfly/mail-reader';
import { isCaptureAddress } from '../../domain/addresses/capture.ts';
import { ownRecipients } from '../../domain/addresses/own-recipients.ts';
import type { MessageMeta } from '../../domain/message.ts';
import type { Session } from '../../domain/session.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import type { Checksums } from './checksums.ts';
import { MailpitIds } from './ids.ts';
import { toUnsubscribeView } from './unsubscribe-view.ts';

export interface AddressView {
  readonly Name: string;
  readonly Address: string;
}

function toAddressView({ name, email }: Mailbox): AddressView {
  return { Name: name, Address: email };
}

/** Returns the envelope's recipients that no header field names. */
export function toBcc(
  recipients: readonly string[],
  named: readonly (readonly Mailbox[])[],
  inHeader: readonly Mailbox[],
): AddressView[] {
  const known = new Set([...named, inHeader].flat().map(({ email }) => email.toLowerCase()));
  const others = recipients.filter((address) => !known.has(address.toLowerCase()));
  return [...inHeader.map(toAddressView), ...others.map((address) => ({ Name: '', Address: address }))];
}

export function toSummaryView(head: MessageHead, ids: MailpitIds) {
  const { listed, to, cc, bcc, replyTo } = head;
  // A capture session has no address of its own, so mail inserted by HTTP names none.
  const recipients = listed.recipients.filter((address) => !isCaptureAddress(address));
  return {
    ID: ids.toId(listed.id),
    MessageID: head.messageId || toMissingId(ids.toId(listed.id)),
    Read: listed.isRead,
    From: { Name: listed.senderName, Address: listed.senderEmail },
    To: to.map(toAddressView),
    Cc: cc.map(toAddressView),
    Bcc: toBcc(recipients, [to, cc], bcc),
    ReplyTo: replyTo.map(toAddressView),
    Subject: listed.subject,
    Created: new Date(listed.receivedAt).toISOString(),
    Username: listed.login ?? '',
    Tags: [],
    Size: listed.sizeBytes,
    Attachments: head.attachmentCount,
    Snippet: listed.preview,
  };
}

/** Mailpit gives one to a message without. */
function toMissingId(id: string): string {
  return `${id}@mayfly`;
}

/** As the sender wrote it, with its offset from UTC. */
function toSentDate({ date, headers }: ParsedMessage, receivedAt: number): string {
  if (date === null) return new Date(receivedAt).toISOString();
  const field = headers.find(({ name }) => name.toLowerCase() === 'date')?.value ?? '';
  const [, sign = '+', hours = '00', minutes = '00'] =
    /([+-])(\d\d)(\d\d)\s*(?:\([^)]*\)\s*)?$/.exec(field) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  const local = new Date(date + offsetMs).toISOString().replace('.000Z', '').replace('Z', '');
  return `${local}${offsetMs === 0 ? 'Z' : `${sign}${hours}:${minutes}`}`;
}

/** Mailpit leaves the line ends of a message as they came, which is CRLF. */
export function toCrLf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

export interface LoadedMail {
  /** Whether the sender wrote the text, rather than HTML from which it was made. */
  readonly isTextWritten: boolean;
  readonly id: number;
  readonly parsed: ParsedMessage;
  readonly meta: MessageMeta;
  readonly stored: { readonly receivedAt: number; readonly sizeBytes: number };
  /** By part id. */
  readonly checksums: ReadonlyMap<string, Checksums>;
}

export function toMessageView(mail: LoadedMail, session: Session) {
  const { parsed, meta, stored, checksums } = mail;
  const { to, cc, replyTo, attachments } = parsed;
  const recipients = ownRecipients(meta.envelope.rcptTo, session.address).filter(
    (address) => !isCaptureAddress(address),
  );
  const files = (wanted: Attachment['disposition']) =>
    attachments
      .filter(({ disposition }) => disposition === wanted)
      .map((attachment) => ({
        PartID: attachment.id,
        FileName: attachment.filename,
        ContentType: attachment.contentType,
        ContentID: attachment.contentId ?? '',
        Size: attachment.size,
        Checksums: checksums.get(attachment.id) ?? { MD5: '', SHA1: '', SHA256: '' },
      }));
  const id = new MailpitIds(session).toId(mail.id);
  return {
    ID: id,
    MessageID: (parsed.messageId ?? '').replace(/^<|>$/g, '') || toMissingId(id),
    Read: true,
    From: { Name: meta.senderName, Address: meta.senderEmail },
    To: to.map(toAddressView),
    Cc: cc.map(toAddressView),
    Bcc: toBcc(recipients, [to, cc], []),
    ReplyTo: replyTo.map(toAddressView),
    ReturnPath: meta.envelope.mailFrom ?? '',
    Subject: parsed.subject,
    ListUnsubscribe: toUnsubscribeView(parsed.headers),
    Date: toSentDate(parsed, stored.receivedAt),
    Tags: [],
    Username: meta.source.login ?? '',
    Text: mail.isTextWritten ? toCrLf(parsed.text) : parsed.text,
    HTML: parsed.html ?? '',
    Size: stored.sizeBytes,
    Inline: files('inline'),
    Attachments: files('attachment'),
  };
}

/**
 * The header with names as Go writes them and values undecoded. `Delivered-To` names the recipient (RFC 9228) when the
 * sender's header does not.
 */
export function toHeadersView({ fields, listed }: MessageHead, id: string): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  const add = (name: string, value: string): void => {
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  };
  for (const { name, value } of fields) add(toGoName(name), Buffer.from(value, 'latin1').toString());
  if (!byName.has('Delivered-To')) for (const recipient of listed.recipients) add('Delivered-To', recipient);
  if (!byName.has('Message-Id')) add('Message-Id', `<${toMissingId(id)}>`);
  if (!byName.has('Return-Path')) add('Return-Path', `<${listed.mailFrom ?? ''}>`);
  return Object.fromEntries([...byName].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** textproto.CanonicalMIMEHeaderKey: `message-ID` becomes `Message-Id`; an invalid name is unchanged. */
function toGoName(name: string): string {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return name;
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
