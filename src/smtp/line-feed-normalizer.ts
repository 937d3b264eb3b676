// Turns each bare LF of a message into CRLF and removes the dot that stuffs the following line, like Postfix's
// `smtpd_forbid_bare_newline = normalize`; and CR CR LF, which programs make of the CRLF they are given, into CRLF. Runs after the end of data has been found, so its output cannot end
// anything. Used by smtp-transaction.ts when the operator enabled it.

const cr = 13;
const lf = 10;
const dot = 46;
const doubleCr = Buffer.from('\r\r');

export class LineFeedNormalizer {
  #last = lf;
  #isAfterBareLf = false;
  readonly #unstuffs: boolean;

  /** @param unstuffs whether lines are dot-stuffed, which is so with DATA and not with BDAT */
  constructor(unstuffs: boolean) {
    this.#unstuffs = unstuffs;
  }

  /** Returns the input itself when nothing changes, else a copy. */
  push(input: Buffer): Buffer {
    if (input.length === 0) return input;
    if (this.#isAfterBareLf || this.#hasBareLf(input) || this.#hasDoubleCr(input))
      return this.#rewrite(input);
    this.#last = input[input.length - 1] as number;
    return input;
  }

  #hasBareLf(input: Buffer): boolean {
    for (let at = input.indexOf(lf); at >= 0; at = input.indexOf(lf, at + 1)) {
      if ((at === 0 ? this.#last : input[at - 1]) !== cr) return true;
    }
    return false;
  }

  #hasDoubleCr(input: Buffer): boolean {
    return (this.#last === cr && input[0] === cr) || input.includes(doubleCr);
  }

  #rewrite(input: Buffer): Buffer {
    const output = Buffer.allocUnsafe(2 * input.length);
    let written = 0;
    let last = this.#last;
    let isAfterBareLf = this.#isAfterBareLf;
    for (const byte of input) {
      const isStuffing = isAfterBareLf && byte === dot && this.#unstuffs;
      // A message in which no LF follows is refused.
      const isDoubled = byte === cr && last === cr;
      isAfterBareLf = byte === lf && last !== cr;
      last = byte;
      if (isStuffing || isDoubled) continue;
      if (isAfterBareLf) output[written++] = cr;
      output[written++] = byte;
    }
    this.#last = last;
    this.#isAfterBareLf = isAfterBareLf;
    return output.subarray(0, written);
  }
}
