// Builds a message (RFC 5322, MIME) from a client's request: bodies and files in base64, so that no line is too long
// or can be mistaken for structure. Pure except for ids.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import { encodeExtended } from '#http-parts/content-disposition';
import type { SendRequest, SentFile } from './send-request.ts';

const lineEnd = '\r\n';
/** Octets of UTF-8 in one encoded word of at most 75 characters (RFC 2047 §2). */
const wordOctets = 42;

export interface BuiltMessage {
  readonly bytes: Buffer;
  /** Without angle brackets. */
  readonly messageId: string;
}

export function buildMessage(request: SendRequest): BuiltMessage {
  const given = request.headers.find(([name]) => name.toLowerCase() === 'message-id')?.[1];
  const messageId = (given ?? `${randomUUID()}@mailpit.invalid`).replace(/^[<\s]+|[>\s]+$/g, '');
  const header = [
    `From: ${toField([request.from])}`,
    ...addressField('To', request.to),
    ...addressField('Cc', request.cc),
    ...addressField('Reply-To', request.replyTo),
    `Subject: ${encodeText(request.subject)}`,
    `Date: ${new Date().toUTCString().replace(/GMT$/, '+0000')}`,
    ...(given === undefined ? [`Message-ID: <${messageId}>`] : []),
    'MIME-Version: 1.0',
    ...request.headers.map(([name, value]) => `${name}: ${encodeText(value)}`),
  ];
  const body = buildBody(request);
  return { bytes: Buffer.from([...header, body].join(lineEnd)), messageId };
}

function buildBody({ text, html, attachments }: SendRequest): string {
  const inline = attachments.filter(({ contentId }) => contentId !== '');
  const files = attachments.filter(({ contentId }) => contentId === '');
  const plain = textPart('plain', text);
  const shown =
    html === ''
      ? undefined
      : multipart('related', [textPart('html', html), ...inline.map((file) => filePart(file, 'inline'))]);
  const message = shown === undefined ? plain : multipart('alternative', [plain, shown]);
  const apart = html === '' ? attachments : files;
  return multipart('mixed', [message, ...apart.map((file) => filePart(file, 'attachment'))]);
}

/** A single part needs no wrapping. */
function multipart(kind: string, parts: readonly string[]): string {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const boundary = `mayfly-${randomUUID()}`;
  const bodies = parts.map((part) => `--${boundary}${lineEnd}${part}`);
  return [
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    '',
    ...bodies,
    `--${boundary}--`,
    '',
  ].join(lineEnd);
}

function textPart(kind: 'plain' | 'html', text: string): string {
  return [
    `Content-Type: text/${kind}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    toLines(Buffer.from(text)),
  ].join(lineEnd);
}

function filePart(file: SentFile, disposition: 'inline' | 'attachment'): string {
  const name = encodeExtended(file.filename);
  return [
    `Content-Type: ${file.contentType}`,
    `Content-Disposition: ${disposition}${name === '' ? '' : `;${lineEnd} filename*=UTF-8''${name}`}`,
    ...(file.contentId === '' ? [] : [`Content-ID: <${file.contentId}>`]),
    'Content-Transfer-Encoding: base64',
    '',
    toLines(file.content),
  ].join(lineEnd);
}

function toLines(bytes: Buffer): string {
  return bytes.toString('base64').replace(/.{76}(?=.)/g, `$&${lineEnd}`);
}

function addressField(name: string, mailboxes: readonly Mailbox[]): string[] {
  return mailboxes.length === 0 ? [] : [`${name}: ${toField(mailboxes)}`];
}

function toField(mailboxes: readonly Mailbox[]): string {
  return mailboxes.map(toMailboxText).join(`,${lineEnd} `);
}

function toMailboxText({ name, email }: Mailbox): string {
  if (name === '') return email === '' ? '' : `<${email}>`;
  const phrase =
    /^[\x20-\x7e]*$/.test(name) && !name.includes('=?')
      ? `"${name.replace(/["\\]/g, '\\$&')}"`
      : encodeText(name);
  return `${phrase} <${email}>`;
}

/** As encoded words (RFC 2047) unless it is plain. */
function encodeText(text: string): string {
  if (/^[\t\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const char of text) {
    if (Buffer.byteLength(word + char) > wordOctets) {
      words.push(word);
      word = '';
    }
    word += char;
  }
  words.push(word);
  return words.map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(`${lineEnd} `);
}
