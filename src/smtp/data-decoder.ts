// Finds the end of DATA and undoes dot-stuffing (RFC 5321 §4.5.2) in one pass over the bytes, however they are split.
// Only CRLF . CRLF ends data (§4.1.1.4): anything looser lets a message be smuggled inside another. A bare CR or LF
// is noted, for the message to be refused after its true end. Pure: bytes in, bytes out.

const cr = 13;
const lf = 10;
const dot = 46;

// Where the last byte left us. Numbers rather than names in the loop below: it runs over every byte that comes in.
const inText = 0;
const afterCr = 1;
const atLineStart = 2;
const afterDot = 3;
const afterDotCr = 4;

/** Bytes four at once: whether one of them is below 14 is whether this borrows from a top bit that was not set. */
const below = 0x0e0e0e0e;
const topBits = 0x80808080 | 0;

export interface DecodedPiece {
  /** Message bytes of this input, possibly none. A view of the input, whose bytes may have been moved within it. */
  readonly kept: Buffer;
  /** Index in the input of the first byte after the end of data; -1 when the end has not come. */
  readonly endAt: number;
}

export class DataDecoder {
  #state = atLineStart;
  #hasBareCr = false;
  #hasBareLf = false;

  /** Whether a CR without LF or an LF without CR has been seen. */
  get hasBareLineEnd(): boolean {
    return this.#hasBareCr || this.#hasBareLf;
  }

  get hasBareCr(): boolean {
    return this.#hasBareCr;
  }

  /** Decodes `input` from index `from`. The input belongs to the decoder from then on: it is compacted in place. */
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
          this.#hasBareCr = true;
          break;
      }
      input[written++] = byte;
      if (byte === lf) {
        if (state !== afterCr) this.#hasBareLf = true;
        state = state === afterCr ? atLineStart : inText;
      } else {
        if (state === afterCr) this.#hasBareCr = true;
        state = byte === cr ? afterCr : inText;
      }
    }
    this.#state = state;
    return { kept: input.subarray(from, written), endAt: -1 };
  }
}

/** The bytes that come in, and the same as words in the order of this machine, from the word on that they begin in. */
class InputWords {
  readonly bytes: Buffer;
  readonly words: Int32Array;
  /** Of the first byte in the first word. */
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
 * Past this line and those that follow, up to one that has something to it: a dot in front, a CR or LF alone, another
 * control character, or the end of the input. Nearly all of mail passes here.
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

/** Where the first byte up to CR is from `at` on. */
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
