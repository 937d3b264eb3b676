// Where a header begins, where each of its fields does, and where it ends: the one place that decides it, for lists,
// the parser and authentication alike (RFC 5322 §2.1, and what real senders make of it). Called on the hot path for every
// message, so an ordinary header costs one look at each byte. Nothing here decodes; CRLF and bare LF both end a line.
//
// A line that is no field ends the header, as in Postfix and in Python's email: its text is the sender's, and must not
// vanish. Only where a field that the header still lacks follows soon is the line taken for a field that lost its fold.

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const DASH = 45;
const SLASH = 47;
const COLON = 58;
const QUOTE = 0x22;
const LESS = 0x3c;
const GREATER = 0x3e;
const DEL = 127;

const noSeparator = 'no empty line ends the header';
const strayLine = 'a line in the header is no field';

/** Lines that may stand where none belongs, and how often that may happen in one header. */
const maxStrayLines = 8;
const maxStrayRuns = 4;

const fromLetters = Buffer.from('from');
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** Fields that a header has once: met again after a line that is no field, they are quoted in the text. */
const singleNames: ReadonlySet<string> = new Set(
  'from sender reply-to to cc subject date message-id in-reply-to references mime-version content-type content-transfer-encoding content-disposition content-id'.split(
    ' ',
  ),
);
/** Others that mail has, and hardly a text. */
const otherNames =
  /^(?:x-|content-|list-|arc-|resent-|dkim-|received|return-|delivered-|authentication-|auto-|feedback-|domainkey-|thread-|errors-|require-recipient|disposition-notification|bcc$|importance$|priority$|precedence$|organi[sz]ation$|user-agent$|keywords$|comments$|sensitivity$|autocrypt$|lines$|status$)/;

export type IsDelimiter = (at: number) => boolean;

/** Steps from field to field; after `next` has given false, `bodyStart` is known. */
export class HeaderWalk {
  /** Of the field that `next` has found: its name, its colon, and the line after it, folds included. */
  start = 0;
  colon = 0;
  end: number;
  bodyStart = -1;
  /** Whether an empty line, or the delimiter of a multipart, ended it. */
  isEnded = false;
  readonly #raw: Uint8Array;
  readonly #first: number;
  readonly #isDelimiter: IsDelimiter | undefined;
  #strayRuns = 0;
  #oddities: string[] | undefined;

  /** @param isDelimiter whether the line at an offset, which begins with `--`, delimits a multipart */
  constructor(raw: Uint8Array, start: number, isDelimiter?: IsDelimiter) {
    this.#raw = raw;
    this.#isDelimiter = isDelimiter;
    this.#first = this.end = findFirstField(raw, start);
    if (this.end < 0) this.#finish(start);
  }

  /** Where the fields begin: past a byte order mark and the `From ` line of an mbox file. -1 when there is no header. */
  get first(): number {
    return this.#first;
  }

  /** Why readers may disagree on this header; empty for an ordinary one. */
  get oddities(): readonly string[] {
    return this.#oddities ?? [];
  }

  next(): boolean {
    if (this.bodyStart >= 0) return false;
    const raw = this.#raw;
    const at = this.end;
    if (at >= raw.length) {
      // A text that follows without an empty line, every line of it like a field.
      if (this.colon > 0 && !isKnownName(nameAt(raw, this.start, this.colon))) this.#doubt(noSeparator);
      return this.#finish(raw.length);
    }
    const empty = emptyLineChars(raw, at);
    if (empty > 0) {
      this.isEnded = true;
      return this.#finish(at + empty);
    }
    const colon = findColon(raw, at);
    if (colon < 0) return this.#crossStray(at);
    this.start = at;
    this.colon = colon;
    this.end = this.#findFieldEnd(colon);
    return true;
  }

  #doubt(oddity: string): void {
    this.#oddities ??= [];
    if (!this.#oddities.includes(oddity)) this.#oddities.push(oddity);
  }

  #finish(bodyStart: number): false {
    this.bodyStart = bodyStart;
    return false;
  }

  /** Offset of the line after the field whose colon is given. */
  #findFieldEnd(colon: number): number {
    const raw = this.#raw;
    for (let at = colon; at < raw.length;) {
      while (at < raw.length && raw[at] !== LF) at++;
      at++;
      const first = raw[at];
      if (first !== SPACE && first !== TAB) return Math.min(at, raw.length);
      const text = skipBlanks(raw, at);
      if (text < raw.length && emptyLineChars(raw, text) === 0) continue;
      const next = this.#lookPastBlankLine(at);
      if (next >= 0) return next;
      this.#doubt(noSeparator);
      return (this.bodyStart = lineEnd(raw, text));
    }
    return raw.length;
  }

  /**
   * A line of blanks alone is a fold where the header goes on after it, and else what should have been the empty line.
   * Where the header goes on, -1 when it ended.
   */
  #lookPastBlankLine(blankLine: number): number {
    const raw = this.#raw;
    let hasText = false;
    let at = blankLine;
    while (raw[at] === SPACE || raw[at] === TAB) {
      const text = skipBlanks(raw, at);
      hasText ||= text < raw.length && emptyLineChars(raw, text) === 0;
      at = lineEnd(raw, text);
    }
    if (at >= raw.length || emptyLineChars(raw, at) > 0) return hasText ? -1 : at;
    return this.#isMissingField(at) ? at : -1;
  }

  /** Ends the header at a line that is no field, or goes on past it when the header does. */
  #crossStray(stray: number): boolean {
    const raw = this.#raw;
    if (raw[stray] === DASH && raw[stray + 1] === DASH) {
      this.isEnded = this.#isDelimiter?.(stray) === true;
      if (!this.isEnded) this.#doubt(noSeparator);
      return this.#finish(stray);
    }
    this.#strayRuns++;
    let at = stray;
    for (let lines = 0; lines < maxStrayLines && this.#strayRuns <= maxStrayRuns; lines++) {
      at = lineEnd(raw, at);
      if (at >= raw.length || emptyLineChars(raw, at) > 0) break;
      if (raw[at] === SPACE || raw[at] === TAB) continue;
      if (findColon(raw, at) < 0 && raw[at] !== DASH) continue;
      if (!this.#isMissingField(at)) break;
      this.#doubt(strayLine);
      this.end = at;
      return this.next();
    }
    this.#doubt(noSeparator);
    return this.#finish(stray);
  }

  /** Whether the line at `at` is a field that mail has, and not the second one of its kind. */
  #isMissingField(at: number): boolean {
    const colon = findColon(this.#raw, at);
    if (colon < 0) return false;
    const name = nameAt(this.#raw, at, colon);
    return singleNames.has(name) ? !this.#hasBefore(at, name) : otherNames.test(name);
  }

  #hasBefore(end: number, name: string): boolean {
    const raw = this.#raw;
    for (let at = this.#first; at < end; at = lineEnd(raw, at)) {
      const colon = findColon(raw, at);
      if (colon >= 0 && colon < end && nameAt(raw, at, colon) === name) return true;
    }
    return false;
  }
}

/** Whether mail has fields of this name, in lower case; a line of a text may look like a field of another. */
function isKnownName(name: string): boolean {
  return singleNames.has(name) || otherNames.test(name);
}

function findFirstField(raw: Uint8Array, start: number): number {
  const marked = matches(raw, start, byteOrderMark) ? start + byteOrderMark.length : start;
  let at = marked;
  // As in Postfix: `From ` lines, whatever number of `>` a mailbox put before them. In a part they are text.
  while (start === 0 && isMboxLine(raw, at)) at = lineEnd(raw, at);
  if (at === marked && emptyLineChars(raw, at) > 0) return at;
  return findColon(raw, at) >= 0 ? at : -1;
}

function isMboxLine(raw: Uint8Array, at: number): boolean {
  const word = skipQuotes(raw, at);
  return raw[word + 4] === SPACE && matchesLetters(raw, word, fromLetters) && findColon(raw, at) < 0;
}

/** Offset of the colon when the line at `at` begins a field, else -1. White space before it is allowed (§4.5.3). */
function findColon(raw: Uint8Array, start: number): number {
  let at = start;
  let byte = raw[at] ?? LF;
  while (byte > SPACE && byte < DEL && byte !== COLON) {
    // Markup and quotations, which a text may begin with.
    if (byte === LESS || byte === GREATER || byte === QUOTE) return -1;
    byte = raw[++at] ?? LF;
  }
  if (at === start) return -1;
  while (byte === SPACE || byte === TAB) byte = raw[++at] ?? LF;
  if (byte !== COLON || (raw[start] === DASH && raw[start + 1] === DASH)) return -1;
  // An address of the web, alone on its line.
  return raw[at + 1] === SLASH && raw[at + 2] === SLASH ? -1 : at;
}

function nameAt(raw: Uint8Array, start: number, colon: number): string {
  const { buffer, byteOffset } = raw;
  return Buffer.from(buffer, byteOffset + start, Math.min(colon - start, 100))
    .toString('latin1')
    .trimEnd()
    .toLowerCase();
}

/** Length of the line end at `at` when the line is empty, else 0. */
function emptyLineChars(raw: Uint8Array, at: number): number {
  if (raw[at] === LF) return 1;
  return raw[at] === CR && raw[at + 1] === LF ? 2 : 0;
}

function lineEnd(raw: Uint8Array, from: number): number {
  const found = raw.indexOf(LF, from);
  return found < 0 ? raw.length : found + 1;
}

function skipBlanks(raw: Uint8Array, from: number): number {
  let at = from;
  while (raw[at] === SPACE || raw[at] === TAB) at++;
  return at;
}

function skipQuotes(raw: Uint8Array, from: number): number {
  let at = from;
  while (raw[at] === GREATER) at++;
  return at;
}

function matches(raw: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (raw[at + i] !== bytes[i]) return false;
  return true;
}

/** In either case. */
export function matchesLetters(raw: Uint8Array, at: number, letters: Uint8Array): boolean {
  for (let i = 0; i < letters.length; i++) if (((raw[at + i] ?? 0) | 0x20) !== letters[i]) return false;
  return true;
}
