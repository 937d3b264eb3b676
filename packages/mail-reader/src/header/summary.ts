// The list entry of a message: sender and subject, from the header alone.
// Called once for every received message, on the hot path, with the first bytes of it (up to 64 KB).
// It cannot fail: the worst mail has an empty summary. It must not read the body.
import { isUtf8 } from 'node:buffer';
import { cleanLine } from '../text/clean-text.ts';
import { decodeWords } from './decode-words.ts';
import { parseMailboxes } from './header-address.ts';
import { findHeaderFields, readHeaderFields, readValue } from './header-fields.ts';
import type { ByteRange } from './header-fields.ts';
import { parseParameters } from './parameters.ts';

export interface HeaderSummary {
  /** Decoded display name of the first mailbox of the first From field; '' for none. */
  readonly senderName: string;
  /** addr-spec of that mailbox, '' if none: the caller falls back to the envelope. Untrusted, for display only. */
  readonly senderEmail: string;
  /** Decoded first Subject field, one line of at most 998 characters; '' for none. */
  readonly subject: string;
}

/** RFC 5322 §2.1.1: what one line may hold, taken as the bound for the decoded subject. */
const maxSubjectChars = 998;
/** Bytes of one field that are looked at: 998 characters in the most wasteful encoded words take about 13 KB. */
export const maxFieldBytes = 16_384;
/** Bytes of a message that are looked at. */
export const summaryBytes = 65_536;
const headerLimits = { maxBytes: summaryBytes, maxFields: 1_000 };
/** From in the form of nearly all mail: a name without specials, an address in angle brackets. */
const plainSender = /^(?:([\w .'-]*)|"([\w .,'-]*)" ?)<([\w.+-]{1,64}@[\w.-]{1,255})>$/;

/**
 * Reads sender and subject from the first bytes of a message; lines may end in CRLF or bare LF. Never throws. However
 * much it is given, it looks at the same bytes: lists, readers and authentication have the same answer.
 */
export function readSummary(message: Buffer): HeaderSummary {
  const raw = message.length > summaryBytes ? message.subarray(0, summaryBytes) : message;
  const fields = findHeaderFields(raw);
  const subject = readField(raw, fields.subject);
  const from = readField(raw, fields.from);
  const plain = plainSender.exec(from);
  // 8-bit text that is not UTF-8 is rare, and only it needs to know what the body is declared as.
  const declared = isAsciiOrUtf8(subject) && isAsciiOrUtf8(from) ? null : findDeclaredCharset(raw);
  const sender = plain === null ? parseMailboxes(from, 1, declared)[0] : undefined;
  return {
    senderName: (plain?.[1] ?? plain?.[2])?.trim() ?? sender?.name ?? '',
    senderEmail: plain?.[3] ?? sender?.email ?? '',
    subject: cleanLine(decodeWords(subject, declared), maxSubjectChars),
  };
}

function readField(raw: Buffer, range: ByteRange | undefined): string {
  return range === undefined ? '' : readValue(raw, range, maxFieldBytes);
}

function findDeclaredCharset(raw: Buffer): string | null {
  const { fields } = readHeaderFields(raw, 0, headerLimits);
  const field = fields.find(({ name }) => name.toLowerCase() === 'content-type');
  return field === undefined ? null : (parseParameters(field.value).parameters.get('charset') ?? null);
}

function isAsciiOrUtf8(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return isUtf8(Buffer.from(text, 'latin1'));
  }
  return true;
}
