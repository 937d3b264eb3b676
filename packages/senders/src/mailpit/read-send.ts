// Reads the body of Mailpit's POST /api/v1/send. Every address, name and header field is checked, because they become
// header lines. Pure.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import type { JsonLimits } from '../../../http-parts/src/body-limits.ts';
import { parseJsonObject } from '../../../http-parts/src/json-object.ts';
import { parseMailbox } from '../../../mail-receiver/src/address.ts';
import type { ReadCall } from '../compose.ts';
import type { MessageContent, MessageHeader, SentFile } from '../composing/message.ts';
import { readMessageId } from '../composing/message-id.ts';
import { RefusedError } from '../refusal.ts';

/** Room for every recipient, field and file that a message may have. */
const jsonLimits: JsonLimits = { names: 2000, commas: 5000, depth: 8 };

/** @throws MalformedBodyError, RefusedError */
export const readSendCall: ReadCall = ({ body }) => {
  const { bcc, header, content } = readSendRequest(parseJsonObject(body, jsonLimits));
  const { from, to, cc, fields } = header;
  const given = fields.find(([name]) => name.toLowerCase() === 'message-id')?.[1];
  const messageId = readMessageId(given ?? `${randomUUID()}@mailpit.invalid`);
  const message = {
    id: messageId,
    messageId,
    mailFrom: parseMailbox(from.email, true) ? from.email : null,
    rcptTo: [...to, ...cc].map(({ email }) => email).concat(bcc),
    header,
    content,
  };
  return { items: [message] };
};

interface SendRequest {
  readonly header: MessageHeader;
  readonly bcc: readonly string[];
  readonly content: MessageContent;
}

const recipientsMax = 100;
const filesMax = 100;
const headersMax = 100;
/** Header fields set from other members. */
const restricted: ReadonlySet<string> = new Set([
  ...['to', 'from', 'cc', 'bcc', 'reply-to', 'date', 'subject'],
  ...['content-type', 'content-transfer-encoding', 'mime-version', 'x-tags'],
]);

/** @throws RefusedError */
function readSendRequest(body: Readonly<Record<string, unknown>>): SendRequest {
  const given = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  const take = (name: string): unknown => given.get(name.toLowerCase());
  const from = take('From');
  const tags = readList(take('Tags'), 'Tags', headersMax).map((tag) => readLine(tag, 'Tags'));
  const header: MessageHeader = {
    from: from === undefined || from === null ? { name: '', email: '' } : readMailbox(from, 'From'),
    to: readMailboxes(take('To'), 'To'),
    cc: readMailboxes(take('Cc'), 'Cc'),
    replyTo: readMailboxes(take('ReplyTo'), 'Reply-To'),
    subject: readLine(take('Subject') ?? '', 'Subject'),
    fields: [
      ...readHeaders(take('Headers')),
      ...(tags.length > 0 ? [['X-Tags', tags.join(', ')] as const] : []),
    ],
  };
  const bcc = readList(take('Bcc'), 'Bcc', recipientsMax).map((one) => readAddress(one, 'Bcc'));
  const html = readText(take('HTML') ?? '', 'HTML');
  const content: MessageContent = {
    text: readText(take('Text') ?? '', 'Text'),
    html: html === '' ? undefined : html,
    alternatives: [],
    files: readList(take('Attachments'), 'Attachments', filesMax).map(readFile),
  };
  const recipients = header.to.length + header.cc.length + bcc.length;
  // In Mailpit's own words.
  if (header.from.email === '') throw wrong('error building message: from not set');
  if (recipients === 0) throw wrong('error building message: no recipients (to, cc, bcc) set');
  if (recipients > recipientsMax) throw wrong(`At most ${recipientsMax} recipients.`);
  return { header, bcc, content };
}

function readMailboxes(value: unknown, name: string): Mailbox[] {
  return readList(value, name, recipientsMax).map((one) => readMailbox(one, name));
}

function readMailbox(value: unknown, name: string): Mailbox {
  const members = readMembers(value, name);
  const label = members.get('name') ?? '';
  return { name: readLine(label, name), email: readAddress(members.get('email'), name) };
}

function readAddress(value: unknown, name: string): string {
  if (typeof value === 'string' && parseMailbox(value, true)) return value;
  throw wrong(`invalid ${name} address: ${String(typeof value === 'string' ? value : '').slice(0, 320)}`);
}

function readHeaders(value: unknown): (readonly [string, string])[] {
  if (value === undefined || value === null) return [];
  const entries = Object.entries(readObjectOf(value, 'Headers'));
  if (entries.length > headersMax) throw wrong(`At most ${headersMax} header fields.`);
  return entries.map(([name, text]) => {
    if (!/^[\x21-\x39\x3b-\x7e]{1,76}$/.test(name)) {
      throw wrong(`Not a header field name: ${name.slice(0, 76)}`);
    }
    if (restricted.has(name.toLowerCase())) throw wrong(`cannot overwrite header: "${name}"`);
    return [name, readLine(text, name)] as const;
  });
}

function readFile(value: unknown): SentFile {
  const members = readMembers(value, 'Attachments');
  const filename = readLine(members.get('filename') ?? '', 'Filename');
  const contentType = readLine(members.get('contenttype') ?? '', 'ContentType').toLowerCase();
  const contentId = readLine(members.get('contentid') ?? '', 'ContentID');
  if (contentType !== '' && !/^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(contentType)) {
    throw wrong(`Not a media type: ${contentType}`);
  }
  if (/[<>\s]/.test(contentId)) throw wrong(`No ContentID: ${contentId}`);
  const content = readText(members.get('content') ?? '', 'Content');
  const encoded = content.replace(/^data:[^,]*,/, '').trimEnd();
  if (!/^[A-Za-z0-9+/\s]*={0,2}$/.test(encoded)) {
    throw wrong(`error decoding base64 attachment "${filename}"`);
  }
  const disposition = contentId === '' ? 'attachment' : 'inline';
  const bytes = Buffer.from(encoded, 'base64');
  const type = contentType === '' ? detectType(bytes) : contentType;
  return { filename, contentType: type, contentId, disposition, content: bytes };
}

const signatures: readonly (readonly [type: string, signature: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBPVP/],
  ['application/pdf', /^%PDF-/],
  ['application/zip', /^PK\x03\x04/],
  ['application/x-gzip', /^\x1f\x8b\x08/],
  ['text/html', /^[\t\n\f\r ]*<(?:!doctype html|html|head|body|script|p|div|table|h1|br|!--)[ >]/i],
  ['text/xml', /^[\t\n\f\r ]*<\?xml/],
  // Without the bytes that no text has.
  ['text/plain', /^[^\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]*$/],
];

/** Returns the media type of a file that came without one, by its first bytes, as Go's programs do. */
function detectType(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 512);
  return signatures.find(([, signature]) => signature.test(head))?.[0] ?? 'application/octet-stream';
}

/** By name in lower case. */
function readMembers(value: unknown, name: string): ReadonlyMap<string, unknown> {
  const members = Object.entries(readObjectOf(value, name));
  return new Map(members.map(([member, one]) => [member.toLowerCase(), one]));
}

function readObjectOf(value: unknown, name: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrong(`${name} has an item that is not an object.`);
}

function readList(value: unknown, name: string, max: number): unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(`${name} must be a list.`);
  if (value.length > max) throw wrong(`${name} has more than ${max} members.`);
  return value;
}

function readText(value: unknown, name: string): string {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  throw wrong(`${name} must be a string.`);
}

/** Accepts a value that stays on one header line. */
function readLine(value: unknown, name: string): string {
  const text = readText(value, name);
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(text)) throw wrong(`${name} has control characters.`);
  if (text.length > 998) throw wrong(`${name} has more than 998 characters.`);
  return text;
}

function wrong(message: string): RefusedError {
  return new RefusedError({ status: 400, code: '', message });
}
