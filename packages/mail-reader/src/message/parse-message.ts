// Parses a whole message from raw bytes, for read-mail. parseMessage runs in a worker thread (parser-worker), never on
// the receiving path: it may take a while, and a sender can make it take its whole time budget. It throws on no input,
// opens no attachment and sanitises nothing.
import { type Attachment, listAttachments } from '../parts/attachments.ts';
import { type BodyText, readBodyText } from '../parts/body-text.ts';
import { cleanLine } from '../text/clean-text.ts';
import { decodeWords } from '../header/decode-words.ts';
import { codeConfidence, findCodes, findLateCodes, type FoundCode } from '../extract/find-codes.ts';
import { findLinks, type FoundLink } from '../extract/find-links.ts';
import { type MessageGlance, toGlance } from './glance.ts';
import { type Mailbox, parseMailboxes } from '../header/header-address.ts';
import { parseHeaderDate } from '../header/header-date.ts';
import { dropUnread } from '../text/html-to-text.ts';
import { firstValue, type RawField } from '../header/header-fields.ts';
import { type ParseBudget, readingBudget } from '../parts/parse-budget.ts';
import { readPartTree } from '../parts/part-tree.ts';
import { readSummary } from '../header/summary.ts';
import { findTextCharset } from '../parts/part.ts';

export interface ParsedHeader {
  readonly name: string;
  /** Decoded, one line. */
  readonly value: string;
}

/** A parsed message. Everything in it is untrusted. */
export interface ParsedMessage {
  readonly subject: string;
  /** First mailbox of the first From field. */
  readonly from: Mailbox | null;
  readonly to: Mailbox[];
  readonly cc: Mailbox[];
  readonly replyTo: Mailbox[];
  /** The Date field in ms since 1970 UTC; null when absent or invalid. */
  readonly date: number | null;
  /** With angle brackets. */
  readonly messageId: string | null;
  /** In order, as many as the budget allows. */
  readonly headers: ParsedHeader[];
  /** Plain text with LF line ends; '' for none. Show it as text: it may contain markup. */
  readonly text: string;
  /** Whether the sender wrote any of `text` as text, rather than HTML from which it was made. */
  readonly hasPlainText: boolean;
  /**
   * RAW AND UNTRUSTED: the sender's markup, scripts included. It must never reach a browser or any other response
   * unsanitised. Null when the message has none.
   */
  readonly html: string | null;
  readonly attachments: Attachment[];
  /** One-time codes, best first. */
  readonly codes: FoundCode[];
  readonly links: FoundLink[];
  /** For lists, made from the whole message; null when the parse failed. */
  readonly glance: MessageGlance | null;
  readonly parse: ParseOutcome;
}

export interface ParseOutcome {
  /** `partial`: limits were reached, or readers may disagree on the structure; what was read is kept. */
  readonly status: 'ok' | 'partial' | 'failed';
  /** For people; null when `ok`. */
  readonly reason: string | null;
  /** Set when parsing ran out of time; the next attempt may succeed. */
  readonly isProvisional?: true;
}

/** Longer markup is searched without its styles. */
const leanChars = 65_536;
const headerNameMaxChars = 998;
const headerValueMaxChars = 65_536;
const reasonMaxChars = 500;

/** Parses a whole message. Never throws; time and memory are linear in its size. */
export function parseMessage(raw: Uint8Array, budget: ParseBudget = readingBudget): ParsedMessage {
  const buffer = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { root, oddities } = readPartTree(buffer, budget);
  // Subject and sender must never differ from those in lists.
  const { subject, senderName, senderEmail } = readSummary(buffer);
  const from = senderName === '' && senderEmail === '' ? null : { name: senderName, email: senderEmail };
  const header = { subject, from, ...readHeader(root.fields, findTextCharset(root), budget) };
  const body = readBodyText(buffer, root, budget);
  const found = findWhatMatters(header, body);
  return {
    ...header,
    text: body.text,
    hasPlainText: body.plain !== '',
    html: body.html,
    attachments: listAttachments(buffer, root),
    ...found,
    glance: toGlance(buffer, root, { ...body, ...found }),
    parse: toOutcome([...oddities, ...body.oddities]),
  };
}

type HeaderPart = Pick<
  ParsedMessage,
  'subject' | 'from' | 'to' | 'cc' | 'replyTo' | 'date' | 'messageId' | 'headers'
>;

function readHeader(
  fields: RawField[],
  declared: string | null,
  budget: ParseBudget,
): Omit<HeaderPart, 'subject' | 'from'> {
  const first = (name: string): string => firstValue(fields, name) ?? '';
  const mailboxes = (name: string): Mailbox[] => {
    const values = fields.filter((field) => field.name.toLowerCase() === name).map((field) => field.value);
    return parseMailboxes(values.join(', '), budget.mailboxesMax, declared);
  };
  const messageId = cleanLine(first('message-id'), headerNameMaxChars);
  return {
    to: mailboxes('to'),
    cc: mailboxes('cc'),
    replyTo: mailboxes('reply-to'),
    date: parseHeaderDate(first('date')),
    messageId: messageId === '' ? null : messageId,
    headers: fields.map(({ name, value }) => ({
      name: name.slice(0, headerNameMaxChars),
      value: cleanLine(decodeWords(value, declared), headerValueMaxChars),
    })),
  };
}

function findWhatMatters(header: HeaderPart, body: BodyText): Pick<ParsedMessage, 'codes' | 'links'> {
  const { subject } = header;
  const { plain: text } = body;
  // The search for codes and links is limited: markup that shows nothing must not use up the limit.
  const html = body.html !== null && body.html.length > leanChars ? dropUnread(body.html) : body.html;
  const sender = { senderName: header.from?.name ?? '', senderEmail: header.from?.email ?? '' };
  const codes = findCodes({ subject, text, html, ...sender });
  const isSure = codes.some(({ kind, confidence }) => confidence >= codeConfidence && kind !== 'quoted');
  const late = isSure ? [] : findLateCodes(body.text, sender, codeConfidence);
  const others = codes.filter(({ value }) => !late.some((one) => one.value === value));
  return { codes: [...late, ...others], links: findLinks({ subject, text, html }) };
}

function toOutcome(oddities: string[]): ParseOutcome {
  if (oddities.length === 0) return { status: 'ok', reason: null };
  return { status: 'partial', reason: [...new Set(oddities)].join('; ').slice(0, reasonMaxChars) };
}
