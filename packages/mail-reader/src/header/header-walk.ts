// Decides where a header begins, where each field begins, and where the header ends, for lists, the parser and
// authentication alike (RFC 5322 §2.1, and the practice of real senders). Runs on the hot path for every message, so
// an ordinary header costs one look at each byte. Nothing here decodes; CRLF and bare LF both end a line.
// A line that is not a field ends the header, as in Postfix and Python's email: it is the sender's text and must not
// vanish. Only if a field that the header still lacks follows soon does the line count as a field that lost its fold.

const lf = 10;
const cr = 13;
const space = 32;
const tab = 9;
const dash = 45;
const slash = 47;
const colonByte = 58;
const quote = 0x22;
const less = 0x3c;
const greater = 0x3e;
const del = 127;

const noSeparator = 'no empty line ends the header';
const strayLine = 'a line in the header is no field';

/** The most stray lines at one place, and the most such places in a header. */
const strayLinesMax = 8;
const strayRunsMax = 4;

const fromLetters = Buffer.from('from');
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** Fields that occur once in a header: repeated after a stray line, they are quoted text. */
const singleNames: ReadonlySet<string> = new Set(
  'from sender reply-to to cc subject date message-id in-reply-to references mime-version content-type content-transfer-encoding content-disposition content-id'.split(
    ' ',
  ),
);
/** Other fields of mail that hardly occur in text. */
const otherNames =
  /^(?:x-|content-|list-|arc-|resent-|dkim-|received|return-|delivered-|authentication-|auto-|feedback-|domainkey-|thread-|errors-|require-recipient|disposition-notification|bcc$|importance$|priority$|precedence$|organi[sz]ation$|user-agent$|keywords$|comments$|sensitivity$|autocrypt$|lines$|status$)/;

export type IsDelimiter = (at: number) => boolean;

/** Steps from field to field; once `next` returns false, `bodyStart` is set. */
export class HeaderWalk {
  /** Offsets of the current field: its name, its colon, and the line after it, folds included. */
  start = 0;
  colon = 0;
  end: number;
  bodyStart = -1;
  /** Whether an empty line or the delimiter of a multipart ended the header. */
  isEnded = false;
  readonly #raw: Uint8Array;
  readonly #first: number;
  readonly #isDelimiter: IsDelimiter | undefined;
  #strayRuns = 0;
  #oddities: string[] | undefined;

  /** @param isDelimiter reports whether the line at an offset, which begins with `--`, delimits a multipart */
  constructor(raw: Uint8Array, start: number, isDelimiter?: IsDelimiter) {
    this.#raw = raw;
    this.#isDelimiter = isDelimiter;
    this.#first = this.end = findFirstField(raw, start);
    if (this.end < 0) this.#finish(start);
  }

  /** Offset of the first field, after a byte order mark and the `From ` line of an mbox file; -1 without a header. */
  get first(): number {
    return this.#first;
  }

  /** Reasons why readers may disagree on this header; empty for an ordinary one. */
  get oddities(): readonly string[] {
    return this.#oddities ?? [];
  }

  next(): boolean {
    if (this.bodyStart >= 0) return false;
    const raw = this.#raw;
    const at = this.end;
    if (at >= raw.length) {
      // Text without an empty line before it; each of its lines looks like a field.
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

  /** Returns the offset of the line after the field with this colon. */
  #findFieldEnd(colon: number): number {
    const raw = this.#raw;
    for (let at = colon; at < raw.length;) {
      while (at < raw.length && raw[at] !== lf) at++;
      at++;
      const first = raw[at];
      if (first !== space && first !== tab) return Math.min(at, raw.length);
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
   * Treats a line of blanks as a fold if the header continues after it, otherwise as the missing empty line. Returns
   * where the header continues, or -1 if it ended.
   */
  #lookPastBlankLine(blankLine: number): number {
    const raw = this.#raw;
    let hasText = false;
    let at = blankLine;
    while (raw[at] === space || raw[at] === tab) {
      const text = skipBlanks(raw, at);
      hasText ||= text < raw.length && emptyLineChars(raw, text) === 0;
      at = lineEnd(raw, text);
    }
    if (at >= raw.length || emptyLineChars(raw, at) > 0) return hasText ? -1 : at;
    return this.#isMissingField(at) ? at : -1;
  }

  /** Ends the header at a stray line, or skips it if the header continues. */
  #crossStray(stray: number): boolean {
    const raw = this.#raw;
    if (raw[stray] === dash && raw[stray + 1] === dash) {
      this.isEnded = this.#isDelimiter?.(stray) === true;
      if (!this.isEnded) this.#doubt(noSeparator);
      return this.#finish(stray);
    }
    this.#strayRuns++;
    let at = stray;
    for (let lines = 0; lines < strayLinesMax && this.#strayRuns <= strayRunsMax; lines++) {
      at = lineEnd(raw, at);
      if (at >= raw.length || emptyLineChars(raw, at) > 0) break;
      if (raw[at] === space || raw[at] === tab) continue;
      if (findColon(raw, at) < 0 && raw[at] !== dash) continue;
      if (!this.#isMissingField(at)) break;
      this.#doubt(strayLine);
      this.end = at;
      return this.next();
    }
    this.#doubt(noSeparator);
    return this.#finish(stray);
  }

  /** Reports whether the line at `at` is a known field that the header does not have yet. */
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

/** Reports whether mail has fields of this lower-case name; a line of text may look like a field of another name. */
function isKnownName(name: string): boolean {
  return singleNames.has(name) || otherNames.test(name);
}

function findFirstField(raw: Uint8Array, start: number): number {
  const marked = matches(raw, start, byteOrderMark) ? start + byteOrderMark.length : start;
  let at = marked;
  // `From ` lines with any number of `>` before them, as in Postfix. In a part they are text.
  while (start === 0 && isMboxLine(raw, at)) at = lineEnd(raw, at);
  if (at === marked && emptyLineChars(raw, at) > 0) return at;
  return findColon(raw, at) >= 0 ? at : -1;
}

function isMboxLine(raw: Uint8Array, at: number): boolean {
  const word = skipQuotes(raw, at);
  return raw[word + 4] === space && matchesLetters(raw, word, fromLetters) && findColon(raw, at) < 0;
}

/**
 * Returns the offset of the colon if the line at `at` begins a field, else -1. Allows white space before it (§4.5.3).
 */
function findColon(raw: Uint8Array, start: number): number {
  let at = start;
  let byte = raw[at] ?? lf;
  while (byte > space && byte < del && byte !== colonByte) {
    // Markup and quotations, which text may begin with.
    if (byte === less || byte === greater || byte === quote) return -1;
    byte = raw[++at] ?? lf;
  }
  if (at === start) return -1;
  while (byte === space || byte === tab) byte = raw[++at] ?? lf;
  if (byte !== colonByte || (raw[start] === dash && raw[start + 1] === dash)) return -1;
  // A URL alone on its line.
  return raw[at + 1] === slash && raw[at + 2] === slash ? -1 : at;
}

function nameAt(raw: Uint8Array, start: number, colon: number): string {
  const { buffer, byteOffset } = raw;
  return Buffer.from(buffer, byteOffset + start, Math.min(colon - start, 100))
    .toString('latin1')
    .trimEnd()
    .toLowerCase();
}

/** Returns the length of the line end at `at` if the line is empty, else 0. */
function emptyLineChars(raw: Uint8Array, at: number): number {
  if (raw[at] === lf) return 1;
  return raw[at] === cr && raw[at + 1] === lf ? 2 : 0;
}

function lineEnd(raw: Uint8Array, from: number): number {
  const found = raw.indexOf(lf, from);
  return found < 0 ? raw.length : found + 1;
}

function skipBlanks(raw: Uint8Array, from: number): number {
  let at = from;
  while (raw[at] === space || raw[at] === tab) at++;
  return at;
}

function skipQuotes(raw: Uint8Array, from: number): number {
  let at = from;
  while (raw[at] === greater) at++;
  return at;
}

function matches(raw: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (raw[at + i] !== bytes[i]) return false;
  return true;
}

/** Compares without regard to case. */
export function matchesLetters(raw: Uint8Array, at: number, letters: Uint8Array): boolean {
  for (let i = 0; i < letters.length; i++) if (((raw[at + i] ?? 0) | 0x20) !== letters[i]) return false;
  return true;
}
