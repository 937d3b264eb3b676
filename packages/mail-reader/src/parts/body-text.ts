// The readable text and the HTML of a message, from its parts. Called by the parser and the glance.
// `html` is the sender's markup, untouched and UNTRUSTED: whoever sends it to a browser sanitises it first.
import { decodeCharset } from '../text/charset.ts';
import { cutText, toWellFormed } from '../text/clean-text.ts';
import { joinFlowed } from '../text/flowed-text.ts';
import { dropUnread, htmlToText } from '../text/html-to-text.ts';
import type { ParseBudget } from './parse-budget.ts';
import type { Part } from './part.ts';
import { decodeTransfer } from './transfer-decoding.ts';

export interface BodyText {
  readonly text: string;
  /** What of it the sender wrote as plain text: where `html` is read as well, the rest would be read twice. */
  readonly plain: string;
  /** UNTRUSTED markup; null when the message has none. */
  readonly html: string | null;
  /** What was cut or guessed. */
  readonly oddities: string[];
}

/** A leaf's content; HTML becomes text only when it is the text that is chosen. */
interface Piece {
  readonly content: string;
  readonly isHtml: boolean;
}

interface Fragments {
  readonly text: Piece[];
  readonly html: string[];
}

/** Joins what a person reads, in order: of alternatives the plain text, or else the HTML as text. */
export function readBodyText(raw: Buffer, root: Part, budget: TextBudget): BodyText {
  return new BodyReader(raw, budget).read(root);
}

/** Whether a part is shown as the message itself rather than listed as an attachment. */
export function isBodyPart(part: Part): boolean {
  if (!part.contentType.startsWith('text/') || fileTypes.has(part.contentType)) return false;
  if (part.disposition === 'attachment') return false;
  return part.filename === null || part.path === '1';
}

/** Texts for programs, which are files to a person. Every other kind of text is shown. */
const fileTypes: ReadonlySet<string> = new Set(
  'calendar css csv directory ecmascript javascript rfc822-headers rtf tab-separated-values vcard watch-html x-amp-html x-calendar x-vcalendar x-vcard xml'
    .split(' ')
    .map((subtype) => `text/${subtype}`),
);

interface TextBudget extends Pick<ParseBudget, 'maxTextChars' | 'maxMarkupChars'> {
  /** Makes text of HTML, which is then chosen before plain text; it gets the whole markup. */
  readonly toText?: (html: string) => string;
}

class BodyReader {
  readonly #raw: Buffer;
  readonly #oddities = new Set<string>();
  #plainLeft: number;
  #htmlLeft: number;
  #textLeft: number;
  #markupLeft: number;
  readonly #toText: TextBudget['toText'];

  constructor(raw: Buffer, { maxTextChars, maxMarkupChars, toText }: TextBudget) {
    this.#raw = raw;
    this.#toText = toText;
    this.#plainLeft = maxTextChars;
    this.#htmlLeft = maxTextChars;
    this.#textLeft = maxTextChars;
    this.#markupLeft = maxMarkupChars;
  }

  read(root: Part): BodyText {
    const { text, html } = this.#collect(root);
    const pieces = text
      .map((piece) => ({ isHtml: piece.isHtml, shown: this.#render(piece) }))
      .filter(({ shown }) => shown !== '');
    const join = (some: typeof pieces): string => some.map(({ shown }) => shown).join('\n\n');
    return {
      text: join(pieces),
      plain: join(pieces.filter(({ isHtml }) => !isHtml)),
      html: html.length === 0 ? null : html.join('\n'),
      oddities: [...this.#oddities],
    };
  }

  /** Recursion is as deep as the walker's budget of nesting lets the tree be. */
  #collect(part: Part): Fragments {
    if (part.children.length === 0) return this.#readLeaf(part);
    const found = part.children.map((child) => ({ child, fragments: this.#collect(child) }));
    const html = found.flatMap(({ fragments }) => fragments.html);
    if (part.contentType !== 'multipart/alternative') {
      return { text: found.flatMap(({ fragments }) => fragments.text), html };
    }
    const readable = found.filter(({ fragments }) => fragments.text.length > 0);
    const plain = readable.filter(({ child }) => child.contentType === 'text/plain');
    // Of the others a kind of text that is neither, such as text/enriched, is the last resort.
    const known = readable.filter(
      ({ child }) => child.contentType === 'text/html' || child.children.length > 0,
    );
    const isPlainWanted = plain.length > 0 && (this.#toText === undefined || known.length === 0);
    const chosen = isPlainWanted ? plain : [...known, ...readable].slice(0, 1);
    return { text: chosen.flatMap(({ fragments }) => fragments.text), html };
  }

  #readLeaf(part: Part): Fragments {
    if (!isBodyPart(part)) return { text: [], html: [] };
    const isHtml = part.contentType === 'text/html';
    const decoded = isHtml ? this.#decodeHtml(part) : this.#decode(part, this.#plainLeft);
    if (!isHtml) this.#plainLeft -= decoded.length;
    const lines = isHtml ? decoded : decoded.replaceAll('\r\n', '\n');
    const content = part.flowed && !isHtml ? joinFlowed(lines, part.delSp) : lines;
    return { text: content.trim() === '' ? [] : [{ content, isHtml }], html: isHtml ? [decoded] : [] };
  }

  #render(piece: Piece): string {
    const toText = this.#toText ?? ((html: string) => htmlToText(html, this.#textLeft));
    const text = piece.isHtml ? toText(piece.content) : piece.content;
    const kept = cutText(text, this.#textLeft);
    if (kept.length < text.length) this.#oddities.add('a text is too long');
    this.#textLeft -= kept.length;
    return kept;
  }

  /** Markup without what is too much of it: where that is possible styles go, so that the text after them stays. */
  #decodeHtml(part: Part): string {
    const markup = this.#decode(part, Math.max(this.#htmlLeft, this.#markupLeft));
    this.#markupLeft -= Math.min(markup.length, this.#markupLeft);
    const isLean = markup.length <= this.#htmlLeft || this.#toText !== undefined;
    const kept = isLean ? markup : cutText(dropUnread(markup), this.#htmlLeft);
    if (markup.length > this.#htmlLeft) this.#oddities.add('a text is too long');
    this.#htmlLeft -= kept.length;
    return kept;
  }

  /** At most `maxChars` characters; only as many bytes are decoded as can be needed for them. */
  #decode(part: Part, maxChars: number): string {
    const body = this.#raw.subarray(part.bodyStart, part.bodyEnd);
    // Four bytes a character at most, and three bytes for one in quoted-printable, with room for line ends.
    const enough = part.transferEncoding === 'quoted-printable' ? 14 * maxChars : 6 * maxChars;
    const { bytes, clean } = decodeTransfer(body.subarray(0, enough), part.transferEncoding);
    if (!clean) this.#oddities.add('bad transfer encoding in a text');
    const { text, known } = decodeCharset(bytes, part.charset ?? findMetaCharset(part, bytes));
    if (!known) this.#oddities.add('unknown charset');
    if (text.length > maxChars || body.length > enough) this.#oddities.add('a text is too long');
    return toWellFormed(cutText(text, maxChars)).replaceAll('\0', '\ufffd');
  }
}

/** A charset that HTML declares for itself, for senders that forget the header. */
function findMetaCharset(part: Part, bytes: Buffer): string | null {
  if (part.contentType !== 'text/html') return null;
  return /charset=["']?([\w:.-]{1,40})/i.exec(bytes.toString('latin1', 0, 1_024))?.[1] ?? null;
}
