// Splits an address field (From, To, Cc, Reply-To) into mailboxes of words by structure alone. Nothing is decoded
// here, so no encoded word or quoted string can add an address (RFC 2047 §5, RFC 5322 §3.4). Called by header-address.
// One pass without recursion: groups and comments cost a counter at any depth.

import { trimAscii } from '../text/clean-text.ts';

export interface AddressWord {
  /** A byte string without quotes and backslashes. */
  readonly text: string;
  readonly quoted: boolean;
  /** Whether white space or a comment precedes it. */
  readonly spaced: boolean;
}

export interface RawMailbox {
  readonly words: AddressWord[];
  /** The text between `<` and `>`, including quotes and comments; null for none. */
  readonly angle: string | null;
  readonly comment: string;
  /** Whether it is more than words, comments and one final address in brackets: readers may find another address. */
  readonly isOdd: boolean;
}

/** An encoded word in an atom has no white space or `?` in its text, which keeps the match short. */
const encodedWord = /=\?[^?\s]{1,64}\?[bq]\?[^?\s]*\?=/iy;
const atomEnd = new Set([...' \t\r\n"(<>,;:[']);

/** Reads mailboxes from one unfolded byte string, one at a time, so that callers may stop early. */
export class AddressScanner {
  readonly #value: string;
  #at = 0;
  #words: AddressWord[] = [];
  #angle: string | null = null;
  #comment = '';
  #spaced = false;
  #isOdd = false;
  #isGroup = false;

  constructor(value: string) {
    this.#value = value;
  }

  /** Whether a group's name was read, or what readers may take for one. */
  get hasGroup(): boolean {
    return this.#isGroup;
  }

  /** Returns the next non-empty mailbox, or undefined at the end. */
  next(): RawMailbox | undefined {
    const value = this.#value;
    while (this.#at < value.length) {
      const char = value.charAt(this.#at);
      if (char === ',' || char === ';') {
        this.#at++;
        const mailbox = this.#take();
        if (mailbox !== undefined) return mailbox;
      } else if (char === ':') {
        // The end of a group's name. Names of nested groups, which RFC 5322 does not allow, are dropped too.
        this.#at++;
        this.#isGroup = true;
        this.#take();
      } else {
        this.#readWord(char);
      }
    }
    return this.#take();
  }

  #take(): RawMailbox | undefined {
    const mailbox = {
      words: this.#words,
      angle: this.#angle,
      comment: this.#comment,
      isOdd: this.#isOdd,
    };
    this.#words = [];
    this.#angle = null;
    this.#comment = '';
    this.#spaced = false;
    this.#isOdd = false;
    const isEmpty = mailbox.words.length === 0 && mailbox.angle === null && mailbox.comment === '';
    return isEmpty ? undefined : mailbox;
  }

  #readWord(char: string): void {
    if (char === ' ' || char === '\t' || char === '\r' || char === '\n') {
      this.#at++;
      this.#spaced = true;
    } else if (char === '(') {
      const comment = readComment(this.#value, this.#at);
      this.#at = comment.end;
      this.#isOdd ||= comment.isOpen === true;
      this.#spaced = true;
      if (this.#comment === '') this.#comment = comment.text;
    } else if (char === '"') {
      const quoted = readQuoted(this.#value, this.#at);
      this.#at = quoted.end;
      this.#isOdd ||= quoted.isOpen === true;
      this.#push(quoted.text, true);
    } else if (char === '<') {
      this.#readAngle();
    } else if (char === '[') {
      const close = findLiteralEnd(this.#value, this.#at);
      this.#push(this.#value.slice(this.#at, close), false);
      this.#at = close;
    } else {
      this.#readAtom();
    }
  }

  #readAtom(): void {
    const value = this.#value;
    let end = this.#at;
    if (value.startsWith('=?', end)) {
      encodedWord.lastIndex = end;
      if (encodedWord.test(value)) end = encodedWord.lastIndex;
    }
    while (end < value.length && !atomEnd.has(value.charAt(end))) end++;
    // Skip a stray `>`, so that every iteration advances.
    if (end === this.#at) {
      this.#at++;
      this.#isOdd = true;
    } else {
      this.#push(value.slice(this.#at, end), false);
      this.#at = end;
    }
  }

  #readAngle(): void {
    const end = findAngleEnd(this.#value, this.#at + 1);
    this.#spaced = true;
    const isBroken = this.#value.charAt(end) === '<';
    // The first wins: `<a@b> <c@d>` is a@b. One cut short by another `<` does not count: `<<a@b>>` is a@b.
    this.#isOdd ||= isBroken || this.#angle !== null || end === this.#value.length;
    if (!isBroken) this.#angle ??= this.#value.slice(this.#at + 1, end);
    this.#at = isBroken ? end : end + 1;
  }

  #push(text: string, quoted: boolean): void {
    this.#isOdd ||= this.#angle !== null;
    this.#words.push({ text, quoted, spaced: this.#spaced });
    this.#spaced = false;
  }
}

interface Read {
  readonly text: string;
  readonly end: number;
  readonly isOpen?: true;
}

/** Reads from the opening quote; an unclosed one takes the rest. */
export function readQuoted(value: string, start: number): Read {
  let text = '';
  let from = start + 1;
  let at = from;
  for (; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === '"') return { text: text + value.slice(from, at), end: at + 1 };
    if (char === '\\') {
      text += value.slice(from, at);
      from = ++at;
    }
  }
  return { text: text + value.slice(from), end: value.length, isOpen: true };
}

/** Reads from the opening bracket, keeping nested comments as text; an unclosed one takes the rest. */
export function readComment(value: string, start: number): Read {
  let depth = 0;
  for (let at = start; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) {
      return { text: trimAscii(value.slice(start + 1, at)), end: at + 1 };
    }
  }
  return { text: trimAscii(value.slice(start + 1)), end: value.length, isOpen: true };
}

/**
 * Returns the index of the `>` that ends a route-addr, skipping quoted strings, or of the `<` or end that cuts it
 * short.
 */
function findAngleEnd(value: string, start: number): number {
  for (let at = start; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === '>' || char === '<') return at;
    if (char === '"') at = readQuoted(value, at).end - 1;
  }
  return value.length;
}

function findLiteralEnd(value: string, start: number): number {
  for (let at = start + 1; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === ']') return at + 1;
    if (char === ',' || char === '<' || char === '[') return at;
  }
  return value.length;
}
