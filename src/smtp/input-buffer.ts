// Bytes that came from the sender and are not worked off, and the command lines in them. Owned by the engine.

import { replies, type Reply } from './reply.ts';

export interface LineKind {
  /** The CR before the line's end included. */
  readonly maxBytes: number;
  readonly tooLong: Reply;
  /** Whether a line that ends in a bare LF is the last thing that is read. */
  readonly isStrict: boolean;
}

/** RFC 5321 §4.5.3.1.4 wants 512, and more for each extension's parameters; nobody needs more than this. */
const commandLine: LineKind = { maxBytes: 2048, tooLong: replies.lineTooLong, isStrict: false };

/**
 * An answer to a SASL challenge: 12,288 octets (RFC 4954 §4) and the CR. What stands behind a bare LF in one may be more
 * of the answer to whoever passed it on, and must not be taken for a command.
 */
export const saslLine: LineKind = {
  maxBytes: 12_288 + 1,
  tooLong: replies.saslLineTooLong,
  isStrict: true,
};

const printable = /^[\x20-\x7e]*$/;
const printableUnicode = /^[^\p{Cc}\u2028\u2029\ufffd]*$/u;

/** A command line without its end, or why it is none; `isFatal` when what follows cannot be told apart from it. */
export type CommandLine = { readonly text: string } | { readonly refusal: Reply; readonly isFatal: boolean };

export class InputBuffer {
  #bytes: Buffer | undefined;
  #at = 0;

  get waitingBytes(): number {
    return this.#bytes ? this.#bytes.length - this.#at : 0;
  }

  /** The bytes belong to the engine from here on. */
  push(bytes: Buffer): void {
    this.#bytes =
      this.waitingBytes > 0 && this.#bytes ? Buffer.concat([this.#bytes.subarray(this.#at), bytes]) : bytes;
    this.#at = 0;
  }

  clear(): void {
    this.#bytes = undefined;
    this.#at = 0;
  }

  /** Hands the waiting bytes to `read`, which returns the index it read up to, or -1 when it took them all. */
  read(read: (bytes: Buffer, at: number) => number): void {
    if (!this.#bytes) return;
    const at = read(this.#bytes, this.#at);
    this.#at = at < 0 ? this.#bytes.length : at;
    this.#dropWorkedOff();
  }

  /**
   * Undefined when no whole line is there.
   * @param takesBareLf whether a line may end without CR
   */
  takeLine(takesBareLf = false, kind = commandLine): CommandLine | undefined {
    const { maxBytes, tooLong: refusal } = kind;
    const bytes = this.#bytes;
    const from = this.#at;
    const end = bytes ? bytes.indexOf(10, from) : -1;
    if (!bytes || end < 0) {
      return this.waitingBytes > maxBytes ? { refusal, isFatal: true } : undefined;
    }
    this.#at = end + 1;
    this.#dropWorkedOff();
    if (end - from > maxBytes) return { refusal, isFatal: true };
    const hasCr = end > from && bytes[end - 1] === 13;
    if (!hasCr && !takesBareLf) return { refusal: replies.bareLineEnd, isFatal: kind.isStrict };
    const text = toText(bytes, from, hasCr ? end - 1 : end);
    return text === undefined ? { refusal: replies.badCharacters, isFatal: false } : { text };
  }

  /** An idle connection would otherwise hold a whole socket buffer. */
  #dropWorkedOff(): void {
    if (this.waitingBytes === 0) this.clear();
  }
}

/** Undefined when the line holds control characters or is not UTF-8. */
function toText(bytes: Buffer, from: number, end: number): string | undefined {
  const ascii = bytes.toString('latin1', from, end);
  if (printable.test(ascii)) return ascii;
  const text = bytes.toString('utf8', from, end);
  return printableUnicode.test(text) ? text : undefined;
}
