// Builds a message (RFC 5322, MIME) from checked parts: bodies and files in base64, so that no line is too long or can be
// mistaken for structure. Pure except for ids.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import { encodeExtended } from '../../../http-parts/src/content-disposition.ts';
import type { HeaderField, MessageContent, MessageHeader, SentFile } from './message.ts';

const lineEnd = '\r\n';
/** Octets of UTF-8 in one encoded word of at most 75 characters (RFC 2047 §2). */
const wordOctets = 42;
/** Longer values are folded: a line has at most 998 characters (RFC 5322 §2.1.1). */
const plainMaxLength = 800;
/** Octets of a line of base64. */
const lineOctets = 57;

/** Returns the header without the fields of the body, which `buildBody` begins with. */
export function buildHeader(header: MessageHeader, messageId: string): string {
  const names = new Set(header.fields.map(([name]) => name.toLowerCase()));
  const lines = [
    `From: ${toField([header.from])}`,
    ...addressField('To', header.to),
    ...addressField('Cc', header.cc),
    ...addressField('Reply-To', header.replyTo),
    `Subject: ${encodeText(header.subject)}`,
    ...(names.has('date') ? [] : [`Date: ${new Date().toUTCString().replace(/GMT$/, '+0000')}`]),
    ...(names.has('message-id') ? [] : [`Message-ID: <${messageId}>`]),
    'MIME-Version: 1.0',
    ...header.fields.map(toLine),
  ];
  return lines.join(lineEnd) + lineEnd;
}

export function toLine([name, value]: HeaderField): string {
  return `${name}: ${encodeText(value)}`;
}

type Piece = string | Buffer;

export function buildBody({ text, html, alternatives, files }: MessageContent): Buffer {
  const shown = html === undefined ? undefined : textPart('text/html', html);
  const inline = shown ? files.filter(({ disposition }) => disposition === 'inline') : [];
  const related = shown && multipart('related', [shown, ...inline.map(filePart)]);
  const forms = [
    ...(text === undefined && related ? [] : [textPart('text/plain', text ?? '')]),
    ...alternatives.map((one) => textPart(one.contentType, one.text)),
    ...(related ? [related] : []),
  ];
  const apart = files.filter((file) => !inline.includes(file));
  const pieces = multipart('mixed', [multipart('alternative', forms), ...apart.map(filePart)]);
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** A single part needs no wrapping. */
function multipart(kind: string, parts: readonly (readonly Piece[])[]): readonly Piece[] {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const boundary = `mayfly-${randomUUID()}`;
  const head = `Content-Type: multipart/${kind}; boundary="${boundary}"${lineEnd}${lineEnd}`;
  const bodies = parts.flatMap((part) => [`--${boundary}${lineEnd}`, ...part]);
  return [head, ...bodies, `--${boundary}--${lineEnd}`];
}

function textPart(contentType: string, text: string): readonly Piece[] {
  const head = [`Content-Type: ${contentType}; charset=utf-8`, 'Content-Transfer-Encoding: base64', '', ''];
  return [head.join(lineEnd), toBase64Lines(Buffer.from(text))];
}

function filePart(file: SentFile): readonly Piece[] {
  const { filename, contentType, contentId, disposition, description = '', content } = file;
  const head = [
    `Content-Type: ${contentType}`,
    `Content-Disposition: ${disposition}${toNameParameter(filename)}`,
    ...(contentId === '' ? [] : [`Content-ID: <${contentId}>`]),
    ...(description === '' ? [] : [toLine(['Content-Description', description])]),
    'Content-Transfer-Encoding: base64',
    '',
    '',
  ];
  return [head.join(lineEnd), toBase64Lines(content)];
}

/** In pieces if it would make too long a line (RFC 2231 §3). */
function toNameParameter(filename: string): string {
  const name = encodeExtended(filename);
  if (name.length <= plainMaxLength) return name === '' ? '' : `;${lineEnd} filename*=UTF-8''${name}`;
  // Not within the three characters of an encoded octet.
  const pieces = name.match(/(?:%[^]{2}|[^%]){1,200}/g) ?? [];
  return pieces
    .map((piece, at) => `;${lineEnd} filename*${at}*=${at === 0 ? "UTF-8''" : ''}${piece}`)
    .join('');
}

/** Written line by line: the text of a large file would not fit the heap of the thread twice. */
function toBase64Lines(bytes: Buffer): Buffer {
  const count = Math.ceil(bytes.length / lineOctets);
  const lines = Buffer.allocUnsafe(Math.ceil(bytes.length / 3) * 4 + count * lineEnd.length);
  let at = 0;
  for (let from = 0; from < bytes.length; from += lineOctets) {
    at += lines.write(bytes.toString('base64', from, from + lineOctets) + lineEnd, at, 'latin1');
  }
  return lines.subarray(0, at);
}

function addressField(name: string, mailboxes: readonly Mailbox[]): string[] {
  return mailboxes.length === 0 ? [] : [`${name}: ${toField(mailboxes)}`];
}

function toField(mailboxes: readonly Mailbox[]): string {
  return mailboxes.map(toMailboxText).join(`,${lineEnd} `);
}

function toMailboxText({ name, email }: Mailbox): string {
  if (name === '') return email === '' ? '' : `<${email}>`;
  const isQuotable = isPlain(name) && name.length <= plainMaxLength;
  const phrase = isQuotable ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodeWords(name);
  return `${phrase} <${email}>`;
}

function isPlain(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text) && !text.includes('=?');
}

/** As encoded words (RFC 2047) unless it is plain and can be folded. */
function encodeText(text: string): string {
  if (!isPlain(text)) return encodeWords(text);
  if (text.length <= plainMaxLength) return text;
  const lines = text.match(/.{1,800}(?=[ \t]|$)|.{1,800}/g) ?? [];
  // A line without a space before it would be folded within a word.
  const isFolded = lines.slice(1).every((line) => /^[ \t]/.test(line));
  return isFolded ? lines.join(lineEnd) : encodeWords(text);
}

function encodeWords(text: string): string {
  const words: string[] = [];
  let word = '';
  let octets = 0;
  for (const char of text) {
    const size = Buffer.byteLength(char);
    if (octets + size > wordOctets) {
      words.push(word);
      word = '';
      octets = 0;
    }
    word += char;
    octets += size;
  }
  words.push(word);
  return words.map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(`${lineEnd} `);
}
