// Gathers decoded text, which comes in bytes and short stretches, into pieces that are worth handing on. Used by
// json-string.ts and urlencoded-reader.ts.

const pieceBytes = 16 * 1024;

export class GatheredText {
  readonly #take: (piece: Buffer) => void;
  #out: Buffer | undefined;
  #used = 0;

  constructor(take: (piece: Buffer) => void) {
    this.#take = take;
  }

  addByte(byte: number): void {
    this.#makeRoom(1)[this.#used] = byte;
    this.#used += 1;
  }

  /** Copies a stretch that is shorter than a piece. */
  add(stretch: Buffer): void {
    this.#used += stretch.copy(this.#makeRoom(stretch.length), this.#used);
  }

  /** Hands the gathered text over, and the buffer with it: who takes it may keep it. */
  flush(): void {
    if (!this.#out || this.#used === 0) return;
    const gathered = this.#out.subarray(0, this.#used);
    // A short text must not hold a whole buffer.
    const piece = this.#used < pieceBytes / 2 ? Buffer.from(gathered) : gathered;
    this.#out = undefined;
    this.#used = 0;
    this.#take(piece);
  }

  #makeRoom(bytes: number): Buffer {
    if (this.#used + bytes > pieceBytes) this.flush();
    return (this.#out ??= Buffer.allocUnsafeSlow(pieceBytes));
  }
}
