// Turns each bare LF of a message into CRLF and removes the dot that stuffs the following line, like Postfix's
// `smtpd_forbid_bare_newline = normalize`; and CR CR LF, which programs make of the CRLF they are given, into CRLF. Where
// bare line ends are kept, it does only the latter, and removes the dots. Runs after the end of data has been found, so its output cannot end
// anything. Used by smtp-transaction.ts when the operator enabled it.

const cr = 13;
const lf = 10;
const dot = 46;
const doubleCr = Buffer.from('\r\r');

export class LineFeedNormalizer {
  #last = lf;
  #isAfterBareLf = false;
  /** CRs at the end of the input so far that are not in the output yet, where bare ones are kept. */
  #heldCrs = 0;
  readonly #unstuffs: boolean;
  readonly #keeps: boolean;

  /**
   * @param unstuffs whether lines are dot-stuffed, which is so with DATA and not with BDAT
   * @param keeps whether a bare LF stays as it is
   */
  constructor(unstuffs: boolean, keeps = false) {
    this.#unstuffs = unstuffs;
    this.#keeps = keeps;
  }

  get keepsBareLineEnds(): boolean {
    return this.#keeps;
  }

  /** Returns the input itself when nothing changes, else a copy. */
  push(input: Buffer): Buffer {
    if (input.length === 0) return input;
    if (this.#keeps) return this.#rewriteKeeping(input);
    if (this.#isAfterBareLf || this.#hasBareLf(input) || this.#hasDoubleCr(input)) {
      return this.#rewrite(input);
    }
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

  /** Returns what is left at the end of a message. */
  end(): Buffer {
    const rest = Buffer.alloc(this.#heldCrs, cr);
    this.#heldCrs = 0;
    return rest;
  }

  #rewriteKeeping(input: Buffer): Buffer {
    if (this.#isOrdinary(input)) return input;
    const output = Buffer.allocUnsafe(this.#heldCrs + input.length);
    let written = 0;
    for (const byte of input) {
      if (byte === cr) {
        this.#heldCrs += 1;
        this.#isAfterBareLf = false;
        continue;
      }
      const isStuffing = this.#isAfterBareLf && byte === dot && this.#unstuffs && this.#heldCrs === 0;
      const crs = byte === lf ? Math.min(this.#heldCrs, 1) : this.#heldCrs;
      this.#isAfterBareLf = byte === lf && crs === 0;
      this.#heldCrs = 0;
      output.fill(cr, written, written + crs);
      written += crs;
      if (!isStuffing) output[written++] = byte;
    }
    return output.subarray(0, written);
  }

  /** Reports whether bytes stay as they are where bare line ends are kept. */
  #isOrdinary(input: Buffer): boolean {
    if (this.#heldCrs > 0 || this.#isAfterBareLf || input.at(-1) === cr) return false;
    return !this.#hasBareLf(input) && !input.includes(doubleCr);
  }
}

/** Returns undefined where bare line ends are refused. `unstuffs`: whether lines are dot-stuffed. */
export function createNormalizer(
  mode: 'refuse' | 'normalize' | 'keep',
  unstuffs: boolean,
): LineFeedNormalizer | undefined {
  return mode === 'refuse' ? undefined : new LineFeedNormalizer(unstuffs, mode === 'keep');
}
