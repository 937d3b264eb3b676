// Messages in Mailpit's shapes. Arrays are never null, because clients iterate over them.

import type { Attachment, ParsedMessage } from '@mayfly/mail-reader';
import type { RawField } from '@mayfly/mail-reader/header';
import { isCaptureAddress, ownRecipients } from '../../domain/addresses/capture.ts';
import type { MessageMeta } from '../../domain/message.ts';
import type { Session } from '../../domain/session.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import { type AddressView, toAddressView, toBcc } from './addresses.ts';
import type { Checksums } from './checksums.ts';
import { MailpitIds } from './ids.ts';
import { tagsOf } from './tags.ts';
import { toUnsubscribeView } from './unsubscribe-view.ts';

export function toSummaryView(head: MessageHead, ids: MailpitIds) {
  const { listed, to, cc, bcc, replyTo } = head;
  // A capture session has no address of its own, so mail inserted by HTTP names none.
  const recipients = listed.recipients.filter((address) => !isCaptureAddress(address));
  return {
    ID: ids.toId(listed.id),
    MessageID: head.messageId || toMissingId(ids.toId(listed.id)),
    Read: listed.isRead,
    From: toFrom(head),
    To: to.map(toAddressView),
    Cc: cc.map(toAddressView),
    Bcc: toBcc(recipients, [to, cc], bcc),
    ReplyTo: replyTo.map(toAddressView),
    Subject: listed.subject,
    Created: new Date(listed.receivedAt).toISOString(),
    Username: listed.login ?? '',
    Tags: tagsOf(head),
    Size: listed.rawSizeBytes,
    Attachments: head.attachmentCount,
    Snippet: listed.preview,
  };
}

/** The header's author; when it has no address, the field as a name. The envelope's sender is in ReturnPath alone. */
function toFrom({ from: [first], fields }: MessageHead): AddressView {
  if (first && first.email !== '') return toAddressView(first);
  const field = fields.find(({ name }) => name.toLowerCase() === 'from');
  return { Name: field ? Buffer.from(field.value, 'latin1').toString().trim() : '', Address: '' };
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
  readonly head: MessageHead;
  /** By part id. */
  readonly checksums: ReadonlyMap<string, Checksums>;
}

export function toMessageView(mail: LoadedMail, session: Session) {
  const { parsed, meta, head, checksums } = mail;
  const { to, cc, replyTo, attachments } = parsed;
  const from = toFrom(head);
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
    From: from,
    To: to.map(toAddressView),
    Cc: cc.map(toAddressView),
    Bcc: toBcc(recipients, [to, cc], head.bcc),
    ReplyTo: replyTo.map(toAddressView),
    ReturnPath: meta.envelope.mailFrom || from.Address,
    Subject: parsed.subject,
    ListUnsubscribe: toUnsubscribeView(parsed.headers),
    Date: toSentDate(parsed, head.listed.receivedAt),
    Tags: tagsOf(head),
    Username: meta.source.login ?? '',
    Text: mail.isTextWritten ? toCrLf(parsed.text) : parsed.text,
    HTML: parsed.html ?? '',
    Size: head.listed.rawSizeBytes,
    Inline: files('inline'),
    Attachments: files('attachment'),
  };
}

/**
 * The header with names as Go writes them and values undecoded, below the service's own trace. As in Mailpit, `Bcc`
 * names the recipients that the sender's header does not. `Delivered-To` (RFC 9228) is for its client for Python, which
 * reads no header without one.
 */
export function toHeadersView(
  head: MessageHead,
  trace: readonly RawField[],
  id: string,
): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  const add = (name: string, value: string): void => {
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  };
  const { listed, to, cc, bcc } = head;
  for (const { name, value } of trace) add(toGoName(name), value);
  for (const { name, value } of head.fields) {
    const key = toGoName(name);
    // The one of the last receiver replaces others (RFC 5321 §4.4).
    if (key !== 'Return-Path' || trace.length === 0) add(key, Buffer.from(value, 'latin1').toString());
  }
  const recipients = listed.recipients.filter((address) => !isCaptureAddress(address));
  const unnamed = toBcc(recipients, [to, cc, bcc], []).map(({ Address }) => Address);
  if (unnamed.length > 0) byName.set('Bcc', [[...(byName.get('Bcc') ?? []), ...unnamed].join(', ')]);
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
