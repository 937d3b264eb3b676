// Finds the end of DATA and undoes dot-stuffing (RFC 5321 §4.5.2) in one pass over the bytes, however they are split.
// Only CRLF . CRLF ends data (§4.1.1.4): anything looser lets a message be smuggled inside another. A bare CR or LF is
// noted, so that the message is refused after its true end. Pure: bytes in, bytes out.

const cr = 13;
const lf = 10;
const dot = 46;

// State after the last byte. Numbers, not names, because the loop below runs over every byte received.
const inText = 0;
const afterCr = 1;
const atLineStart = 2;
const afterDot = 3;
const afterDotCr = 4;

/** Tests four bytes at once: a byte below 14 borrows from a top bit that was not set. */
const below = 0x0e0e0e0e;
const topBits = 0x80808080 | 0;

export interface DecodedPiece {
  /** The message bytes of this input, possibly none: a view of the input, whose bytes may have moved within it. */
  readonly kept: Buffer;
  /** Index in the input of the first byte after the end of data; -1 before the end. */
  readonly endAt: number;
}

export class DataDecoder {
  #state = atLineStart;
  #hasBareCr = false;
  #hasLoneCr = false;
  #hasBareLf = false;

  /** Reports whether a CR without LF or an LF without CR was seen. */
  get hasBareLineEnd(): boolean {
    return this.#hasBareCr || this.#hasBareLf;
  }

  /** Reports whether a CR with neither another CR nor an LF after it was seen. */
  get hasLoneCr(): boolean {
    return this.#hasLoneCr;
  }

  /** Decodes `input` from index `from`. The decoder owns the input from then on and compacts it in place. */
  push(input: Buffer, from: number): DecodedPiece {
    const length = input.length;
    const words = new InputWords(input);
    let state = this.#state;
    let written = from;
    let at = from;
    while (at < length) {
      if (state === inText) {
        const textFrom = at;
        at = skipLines(words, at);
        if (written !== textFrom) input.copyWithin(written, textFrom, at);
        written += at - textFrom;
        if (at === length) break;
      }
      const byte = input[at] as number;
      at += 1;
      switch (state) {
        case atLineStart:
          if (byte === dot) {
            state = afterDot;
            continue;
          }
          break;
        case afterDot:
          if (byte === cr) {
            state = afterDotCr;
            continue;
          }
          break;
        case afterDotCr:
          if (byte === lf) {
            this.#state = atLineStart;
            return { kept: input.subarray(from, written), endAt: at };
          }
          this.#recordBareCr(byte);
          break;
      }
      input[written++] = byte;
      if (byte === lf) {
        if (state !== afterCr) this.#hasBareLf = true;
        state = state === afterCr ? atLineStart : inText;
      } else {
        if (state === afterCr) this.#recordBareCr(byte);
        state = byte === cr ? afterCr : inText;
      }
    }
    this.#state = state;
    return { kept: input.subarray(from, written), endAt: -1 };
  }

  #recordBareCr(next: number): void {
    this.#hasBareCr = true;
    this.#hasLoneCr ||= next !== cr;
  }
}

/** The input as bytes and, from its first aligned word on, as words in this machine's byte order. */
class InputWords {
  readonly bytes: Buffer;
  readonly words: Int32Array;
  /** Index of the first byte of the first word. */
  readonly offset: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.offset = bytes.byteOffset & 3;
    this.words = new Int32Array(
      bytes.buffer,
      bytes.byteOffset - this.offset,
      (bytes.length + this.offset) >> 2,
    );
  }
}

/**
 * Skips whole lines, up to one that needs work: a leading dot, a CR or LF alone, another control character, or the
 * end of the input. Nearly all mail takes this path.
 */
function skipLines(input: InputWords, from: number): number {
  const { bytes } = input;
  let at = from;
  for (;;) {
    at = skipText(input, at);
    if (bytes[at] !== cr || bytes[at + 1] !== lf) return at;
    const next = bytes[at + 2] ?? cr;
    if (next <= cr || next === dot) return at;
    at += 3;
  }
}

/** Returns the index of the first byte not above CR from `at` on. */
function skipText({ bytes, words, offset }: InputWords, from: number): number {
  const length = bytes.length;
  let at = from;
  for (; ((at + offset) & 3) !== 0; at++) if (at >= length || (bytes[at] as number) <= cr) return at;
  let word = (at + offset) >> 2;
  for (; word + 4 <= words.length; word += 4) {
    const a = words[word] as number;
    const b = words[word + 1] as number;
    const c = words[word + 2] as number;
    const d = words[word + 3] as number;
    const found = ((a - below) & ~a) | ((b - below) & ~b) | ((c - below) & ~c) | ((d - below) & ~d);
    if (found & topBits) break;
  }
  for (; word < words.length; word++) {
    const value = words[word] as number;
    if ((value - below) & ~value & topBits) break;
  }
  at = (word << 2) - offset;
  while (at < length && (bytes[at] as number) > cr) at += 1;
  return at;
}
