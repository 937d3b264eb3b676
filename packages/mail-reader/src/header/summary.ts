// Reads sender and subject for lists from the header alone. Runs on the hot path once for every received message, with
// its first 64 KB at most. Never fails: the worst mail has an empty summary. Reads of the body at most the headers of
// its parts, for a charset.
import { cleanLine } from '../text/clean-text.ts';
import { decodeWords, needsCharset } from './decode-words.ts';
import { parseMailboxes } from './header-address.ts';
import { type ByteRange, findHeaderFields, readValue } from './header-fields.ts';
import { glanceBudget } from '../parts/parse-budget.ts';
import { readPartTree } from '../parts/part-tree.ts';
import { findTextCharset } from '../parts/part.ts';

export interface HeaderSummary {
  /** Decoded display name of the first mailbox of the first From field that is not empty; '' for none. */
  readonly senderName: string;
  /** addr-spec of that mailbox; '' for none, and the caller falls back to the envelope. Untrusted, for display only. */
  readonly senderEmail: string;
  /** Decoded first Subject field that is not empty, one line of at most 998 characters; '' for none. */
  readonly subject: string;
}

/** RFC 5322 §2.1.1: the limit of a line, used as the limit of the decoded subject. */
const subjectMaxChars = 998;
/** Bytes read of one field: 998 characters in the most wasteful encoded words take about 13 KB. */
export const fieldMaxBytes = 16_384;
/** Bytes read of a message. */
export const summaryBytes = 65_536;
/** The form of From in nearly all mail: a name without specials and an address in angle brackets. */
const plainSender = /^(?:([\w .'-]*)|"([\w .,'-]*)" ?)<([\w.+-]{1,64}@[\w.-]{1,255})>$/;

/**
 * Reads sender and subject from the start of a message; lines may end in CRLF or bare LF. Never throws. Reads the same
 * bytes however much it is given, so that lists, readers and authentication agree.
 */
export function readSummary(message: Buffer): HeaderSummary {
  const raw = message.length > summaryBytes ? message.subarray(0, summaryBytes) : message;
  const fields = findHeaderFields(raw);
  const subject = readField(raw, fields.subject);
  const from = readField(raw, fields.from);
  const plain = plainSender.exec(from);
  // 8-bit text that is not UTF-8 is rare, and only then does the declared charset of the body matter.
  const declared = needsCharset(subject) || needsCharset(from) ? declaredCharsetOf(raw) : null;
  const sender = plain === null ? parseMailboxes(from, 1, declared)[0] : undefined;
  return {
    senderName: (plain?.[1] ?? plain?.[2])?.trim() ?? sender?.name ?? '',
    senderEmail: plain?.[3] ?? sender?.email ?? '',
    subject: cleanLine(decodeWords(subject, declared), subjectMaxChars),
  };
}

function readField(raw: Buffer, range: ByteRange | undefined): string {
  return range === undefined ? '' : readValue(raw, range, fieldMaxBytes);
}

/** Returns the charset of the text in the first bytes of a message, for raw 8-bit header fields; null for none. */
export function declaredCharsetOf(raw: Buffer): string | null {
  return findTextCharset(readPartTree(raw.subarray(0, summaryBytes), glanceBudget).root);
}
