// Looks for a CR without LF or an LF without CR in bytes that are not decoded otherwise (BDAT, RFC 3030). DATA has the
// same check in its decoder.

const cr = 13;
const lf = 10;

export class LineEndCheck {
  #isAfterCr = false;
  #hasBareLineEnd = false;

  /** Whether one has been seen. A CR at the very end counts. */
  get hasBareLineEnd(): boolean {
    return this.#hasBareLineEnd || this.#isAfterCr;
  }

  push(bytes: Uint8Array): void {
    let isAfterCr = this.#isAfterCr;
    for (const byte of bytes) {
      if (isAfterCr !== (byte === lf)) {
        this.#hasBareLineEnd = true;
        return;
      }
      isAfterCr = byte === cr;
    }
    this.#isAfterCr = isAfterCr;
  }
}
