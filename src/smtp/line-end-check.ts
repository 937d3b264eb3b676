// Looks for a CR without LF or an LF without CR in bytes that are not decoded otherwise (BDAT, RFC 3030). DATA has the
// same check in its decoder.

const cr = 13;
const lf = 10;

export class LineEndCheck {
  #isAfterCr = false;
  #hasBareCr = false;
  #hasBareLf = false;

  /** Whether one has been seen. A CR at the very end counts. */
  get hasBareLineEnd(): boolean {
    return this.hasBareCr || this.#hasBareLf;
  }

  get hasBareCr(): boolean {
    return this.#hasBareCr || this.#isAfterCr;
  }

  push(bytes: Uint8Array): void {
    let isAfterCr = this.#isAfterCr;
    for (const byte of bytes) {
      if (isAfterCr !== (byte === lf)) {
        if (isAfterCr) this.#hasBareCr = true;
        else this.#hasBareLf = true;
      }
      isAfterCr = byte === cr;
    }
    this.#isAfterCr = isAfterCr;
  }
}
