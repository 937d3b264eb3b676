// Buffers input that has not been processed, splits it into command lines, and discards refused chunks. Owned by the
// engine.

import { replies, type Reply } from '../reply.ts';

export interface LineKind {
  /** Including the CR. */
  readonly bytesMax: number;
  readonly tooLong: Reply;
  /** Whether input after a line that ends in a bare LF is refused. */
  readonly isStrict: boolean;
}

/** RFC 5321 §4.5.3.1.4 requires 512 octets, and more for the parameters of extensions. */
const commandLine: LineKind = { bytesMax: 2048, tooLong: replies.lineTooLong, isStrict: false };

/**
 * An answer to a SASL challenge: 12,288 octets (RFC 4954 §4) and the CR. A relay may have treated text after a bare LF
 * as part of the answer, so it must not be read as a command.
 */
export const saslLine: LineKind = {
  bytesMax: 12_288 + 1,
  tooLong: replies.saslLineTooLong,
  isStrict: true,
};

const printable = /^[\x20-\x7e]*$/;
const printableUnicode = /^[^\p{Cc}\u2028\u2029\ufffd]*$/u;

/**
 * A command line without its line end, or why it is invalid; `isFatal` when what follows cannot be separated from it.
 */
export type CommandLine = { readonly text: string } | { readonly refusal: Reply; readonly isFatal: boolean };

export class InputBuffer {
  #bytes: Buffer | undefined;
  #at = 0;

  get waitingBytes(): number {
    return this.#bytes ? this.#bytes.length - this.#at : 0;
  }

  /** Takes ownership of the bytes. */
  push(bytes: Buffer): void {
    this.#bytes =
      this.waitingBytes > 0 && this.#bytes ? Buffer.concat([this.#bytes.subarray(this.#at), bytes]) : bytes;
    this.#at = 0;
  }

  clear(): void {
    this.#bytes = undefined;
    this.#at = 0;
  }

  /** Passes the waiting bytes to `read`, which returns the index it read up to, or -1 when it consumed them all. */
  read(read: (bytes: Buffer, at: number) => number): void {
    if (!this.#bytes) return;
    const at = read(this.#bytes, this.#at);
    this.#at = at < 0 ? this.#bytes.length : at;
    this.#dropProcessed();
  }

  /**
   * Returns undefined until a whole line has arrived.
   * @param acceptsBareLf whether a line may end in a bare LF
   */
  takeLine(acceptsBareLf = false, kind = commandLine): CommandLine | undefined {
    const { bytesMax, tooLong: refusal } = kind;
    const bytes = this.#bytes;
    const from = this.#at;
    const end = bytes ? bytes.indexOf(10, from) : -1;
    if (!bytes || end < 0) {
      return this.waitingBytes > bytesMax ? { refusal, isFatal: true } : undefined;
    }
    this.#at = end + 1;
    this.#dropProcessed();
    if (end - from > bytesMax) return { refusal, isFatal: true };
    const hasCr = end > from && bytes[end - 1] === 13;
    if (!hasCr && !acceptsBareLf) return { refusal: replies.bareLineEnd, isFatal: kind.isStrict };
    const text = toText(bytes, from, hasCr ? end - 1 : end);
    return text === undefined ? { refusal: replies.badCharacters, isFatal: false } : { text };
  }

  /** Keeps an idle connection from holding on to a whole socket buffer. */
  #dropProcessed(): void {
    if (this.waitingBytes === 0) this.clear();
  }
}

/** A refused BDAT chunk, whose octets are discarded before it is answered (RFC 3030 §2). */
export class SwallowedChunk {
  readonly reply: Reply;
  /** Whether the chunk was the sender's mistake. */
  readonly isFault: boolean;
  #leftBytes: number;

  constructor(sizeBytes: number, reply: Reply, isFault: boolean) {
    this.#leftBytes = sizeBytes;
    this.reply = reply;
    this.isFault = isFault;
  }

  /** Reports whether all of it has arrived. */
  read(input: InputBuffer): boolean {
    input.read((bytes, at) => {
      const taken = Math.min(this.#leftBytes, bytes.length - at);
      this.#leftBytes -= taken;
      return at + taken;
    });
    return this.#leftBytes === 0;
  }
}

/** Returns undefined when the line holds control characters or is not UTF-8. */
function toText(bytes: Buffer, from: number, end: number): string | undefined {
  const ascii = bytes.toString('latin1', from, end);
  if (printable.test(ascii)) return ascii;
  const text = bytes.toString('utf8', from, end);
  return printableUnicode.test(text) ? text : undefined;
}
