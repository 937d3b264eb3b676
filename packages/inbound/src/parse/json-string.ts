// Decodes one JSON string as it arrives, to UTF-8. Long stretches without escapes are passed on without copying; the
// others are gathered, because mail in JSON has an escape at every line end.

import { malformed } from '../intake.ts';
import { GatheredText } from './gathered-text.ts';

const quote = 0x22;
const backslash = 0x5c;
/** Shorter stretches are copied. */
const directBytes = 4096;

const simple: ReadonlyMap<number, number> = new Map([
  [quote, quote],
  [backslash, backslash],
  [0x2f, 0x2f],
  [0x62, 8],
  [0x66, 12],
  [0x6e, 10],
  [0x72, 13],
  [0x74, 9],
]);

export class JsonString {
  readonly #take: ((piece: Buffer) => void) | undefined;
  readonly #gathered: GatheredText | undefined;
  #isEscaped = false;
  /** The digits of a `\u` that has begun. */
  #hex: string | undefined;
  /** A high surrogate that waits for its other half. */
  #high = 0;

  /** @param take absent to skip the text */
  constructor(take: ((piece: Buffer) => void) | undefined) {
    this.#take = take;
    this.#gathered = take && new GatheredText(take);
  }

  /** Reads from `at`; returns the index after the closing quote, or -1 when more is to come. @throws InboundRefusal */
  push(input: Buffer, at: number): number {
    let from = at;
    let quoteAt = -2;
    while (from < input.length) {
      if (this.#isEscaped || this.#hex !== undefined) {
        this.#readEscape(input[from] ?? 0);
        from += 1;
        continue;
      }
      // Looked for once, however many escapes come before it.
      if (quoteAt !== -1 && quoteAt < from) quoteAt = input.indexOf(quote, from);
      const textEnd = quoteAt === -1 ? input.length : quoteAt;
      const escapeAt = indexBefore(input, from, textEnd);
      this.#text(input.subarray(from, escapeAt));
      if (escapeAt === textEnd) {
        if (quoteAt === -1) return -1;
        this.#endHigh();
        this.#gathered?.flush();
        return quoteAt + 1;
      }
      this.#isEscaped = true;
      from = escapeAt + 1;
      // A quote after this backslash is text.
      if (quoteAt === from) quoteAt = -2;
    }
    return -1;
  }

  #readEscape(byte: number): void {
    if (this.#hex !== undefined) {
      this.#hex += String.fromCharCode(byte);
      if (this.#hex.length < 4) return;
      if (!/^[0-9A-Fa-f]{4}$/.test(this.#hex)) throw malformed('The JSON has an escape that is none.');
      this.#unit(parseInt(this.#hex, 16));
      this.#hex = undefined;
      return;
    }
    this.#isEscaped = false;
    if (byte === 0x75) {
      this.#hex = '';
      return;
    }
    const plain = simple.get(byte);
    if (plain === undefined) throw malformed('The JSON has an escape that is none.');
    this.#text(Buffer.of(plain));
  }

  /** Takes one UTF-16 unit; halves of a pair that stand alone become U+FFFD. */
  #unit(unit: number): void {
    if (unit >= 0xdc00 && unit <= 0xdfff && this.#high !== 0) {
      const high = this.#high;
      this.#high = 0;
      this.#text(Buffer.from(String.fromCharCode(high, unit)));
      return;
    }
    this.#endHigh();
    if (unit >= 0xd800 && unit <= 0xdbff) this.#high = unit;
    else this.#text(Buffer.from(String.fromCharCode(unit)));
  }

  #endHigh(): void {
    if (this.#high === 0) return;
    this.#high = 0;
    this.#text(Buffer.from('\ufffd'));
  }

  #text(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#endHigh();
    if (!this.#take || !this.#gathered) return;
    if (piece.length < directBytes) return this.#gathered.add(piece);
    this.#gathered.flush();
    this.#take(piece);
  }
}

/** Returns the index of the first backslash from `from`, or `end`. */
function indexBefore(input: Buffer, from: number, end: number): number {
  const at = input.subarray(from, end).indexOf(backslash);
  return at === -1 ? end : from + at;
}
