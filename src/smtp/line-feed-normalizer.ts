// Turns each bare LF of a message into CRLF and removes the dot that stuffs the following line, like Postfix's
// `smtpd_forbid_bare_newline = normalize`. Runs after the end of data has been found, so its output cannot end
// anything. Used by smtp-transaction.ts when the operator enabled it.

const cr = 13;
const lf = 10;
const dot = 46;

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
    const bareAt = this.#isAfterBareLf ? 0 : this.#findBare(input);
    if (bareAt >= 0) return this.#rewrite(input);
    this.#last = input[input.length - 1] as number;
    return input;
  }

  /** Returns the index of the first LF without CR; -1 when there is none. */
  #findBare(input: Buffer): number {
    for (let at = input.indexOf(lf); at >= 0; at = input.indexOf(lf, at + 1)) {
      if ((at === 0 ? this.#last : input[at - 1]) !== cr) return at;
    }
    return -1;
  }

  #rewrite(input: Buffer): Buffer {
    const output = Buffer.allocUnsafe(2 * input.length);
    let written = 0;
    let last = this.#last;
    let isAfterBareLf = this.#isAfterBareLf;
    for (const byte of input) {
      const isStuffing = isAfterBareLf && byte === dot && this.#unstuffs;
      isAfterBareLf = byte === lf && last !== cr;
      last = byte;
      if (isStuffing) continue;
      if (isAfterBareLf) output[written++] = cr;
      output[written++] = byte;
    }
    this.#last = last;
    this.#isAfterBareLf = isAfterBareLf;
    return output.subarray(0, written);
  }
}
