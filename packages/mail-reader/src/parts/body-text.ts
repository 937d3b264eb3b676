// Reads the text and the HTML of a message from its parts, for the parser and the glance. `html` is the sender's
// markup, unchanged and UNTRUSTED: sanitise it before it reaches a browser.
import { decodeCharset } from '../text/charset.ts';
import { cutText, toWellFormed } from '../text/clean-text.ts';
import { joinFlowed } from '../text/flowed-text.ts';
import { dropUnread, htmlToText } from '../text/html-to-text.ts';
import type { ParseBudget } from './parse-budget.ts';
import type { Part } from './part.ts';
import { decodeTransfer } from './transfer-decoding.ts';

export interface BodyText {
  readonly text: string;
  /** The part of `text` that the sender wrote as plain text; a reader of `html` would read the rest twice. */
  readonly plain: string;
  /** UNTRUSTED markup; null when the message has none. */
  readonly html: string | null;
  /** Descriptions of what was cut or guessed. */
  readonly oddities: string[];
}

/** A leaf's content; HTML is converted to text only when chosen as the text. */
interface Piece {
  readonly content: string;
  readonly isHtml: boolean;
}

interface Fragments {
  readonly text: Piece[];
  readonly html: string[];
}

/** Joins what a person reads, in order; of alternatives it takes the plain text, or else the HTML as text. */
export function readBodyText(raw: Buffer, root: Part, budget: TextBudget): BodyText {
  return new BodyReader(raw, budget).read(root);
}

/** Reports whether a part is shown as the message itself rather than listed as an attachment. */
export function isBodyPart(part: Part): boolean {
  if (!part.contentType.startsWith('text/') || fileTypes.has(part.contentType)) return false;
  if (part.disposition === 'attachment') return false;
  return part.filename === null || part.path === '1';
}

/** Text for programs, which people treat as files. All other text is shown. */
const fileTypes: ReadonlySet<string> = new Set(
  'calendar css csv directory ecmascript javascript rfc822-headers rtf tab-separated-values vcard watch-html x-amp-html x-calendar x-vcalendar x-vcard xml'
    .split(' ')
    .map((subtype) => `text/${subtype}`),
);

interface TextBudget extends Pick<ParseBudget, 'textMaxChars' | 'markupMaxChars'> {
  /** Converts the whole HTML to text, which is then preferred to plain text. */
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

  constructor(raw: Buffer, { textMaxChars, markupMaxChars, toText }: TextBudget) {
    this.#raw = raw;
    this.#toText = toText;
    this.#plainLeft = textMaxChars;
    this.#htmlLeft = textMaxChars;
    this.#textLeft = textMaxChars;
    this.#markupLeft = markupMaxChars;
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

  /** Recursion is bounded by the nesting limit of the part tree. */
  #collect(part: Part): Fragments {
    if (part.children.length === 0) return this.#readLeaf(part);
    const found = part.children.map((child) => ({ child, fragments: this.#collect(child) }));
    const html = found.flatMap(({ fragments }) => fragments.html);
    if (part.contentType !== 'multipart/alternative') {
      return { text: found.flatMap(({ fragments }) => fragments.text), html };
    }
    const readable = found.filter(({ fragments }) => fragments.text.length > 0);
    const plain = readable.filter(({ child }) => child.contentType === 'text/plain');
    // Failing these, any other kind of text, such as text/enriched.
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

  /** Decodes HTML within the limit; if it is too long, styles are dropped first so that the text after them stays. */
  #decodeHtml(part: Part): string {
    const markup = this.#decode(part, Math.max(this.#htmlLeft, this.#markupLeft));
    this.#markupLeft -= Math.min(markup.length, this.#markupLeft);
    const isLean = markup.length <= this.#htmlLeft || this.#toText !== undefined;
    const kept = isLean ? markup : cutText(dropUnread(markup), this.#htmlLeft);
    if (markup.length > this.#htmlLeft) this.#oddities.add('a text is too long');
    this.#htmlLeft -= kept.length;
    return kept;
  }

  #withoutFiles({ bodyStart, bodyEnd, textFiles }: Part): Buffer {
    if (textFiles.length === 0) return this.#raw.subarray(bodyStart, bodyEnd);
    const starts = [bodyStart, ...textFiles.map((file) => file.bodyEnd)];
    const ends = [...textFiles.map((file) => file.bodyStart), bodyEnd];
    return Buffer.concat(starts.map((start, at) => this.#raw.subarray(start, ends[at])));
  }

  /** Decodes at most `charsMax` characters, and only as many bytes as those can take. */
  #decode(part: Part, charsMax: number): string {
    const body = this.#withoutFiles(part);
    // At most four bytes a character, each up to three in quoted-printable, with room for line ends.
    const enough = part.transferEncoding === 'quoted-printable' ? 14 * charsMax : 6 * charsMax;
    const { bytes, clean } = decodeTransfer(body.subarray(0, enough), part.transferEncoding);
    if (!clean) this.#oddities.add('bad transfer encoding in a text');
    const { text, known } = decodeCharset(bytes, part.charset ?? findMetaCharset(part, bytes));
    if (!known) this.#oddities.add('unknown charset');
    if (text.length > charsMax || body.length > enough) this.#oddities.add('a text is too long');
    return toWellFormed(cutText(text, charsMax)).replaceAll('\0', '\ufffd');
  }
}

/** Returns the charset declared in the HTML itself, for senders that omit the header. */
function findMetaCharset(part: Part, bytes: Buffer): string | null {
  if (part.contentType !== 'text/html') return null;
  return /charset=["']?([\w:.-]{1,40})/i.exec(bytes.toString('latin1', 0, 1_024))?.[1] ?? null;
}
