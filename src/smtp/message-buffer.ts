// Gathers the bytes of one message in memory as they come, without copying what comes in large pieces. Small pieces
// are joined, so that a sender of single bytes costs no object a byte.

import { headBytes } from '../domain/limits.ts';
import type { RawMessage } from '../domain/message.ts';

const smallPieceBytes = 2048;
const joinBytes = 16 * 1024;

export class MessageBuffer implements RawMessage {
  #pieces: Buffer[] = [];
  #join: Buffer | undefined;
  #joined = 0;
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#sizeBytes += piece.length;
    if (piece.length >= smallPieceBytes) {
      this.#endJoin();
      this.#pieces.push(piece);
      return;
    }
    if (this.#join && this.#joined + piece.length > joinBytes) this.#endJoin();
    this.#join ??= Buffer.allocUnsafeSlow(joinBytes);
    piece.copy(this.#join, this.#joined);
    this.#joined += piece.length;
  }

  head(): Buffer {
    this.#endJoin();
    const [first, ...others] = this.#pieces;
    if (!first) return Buffer.alloc(0);
    return others.length === 0 || first.length >= headBytes
      ? first.subarray(0, headBytes)
      : Buffer.concat(this.#firstPieces(), Math.min(this.#sizeBytes, headBytes));
  }

  pieces(): Iterable<Buffer> {
    this.#endJoin();
    return this.#pieces;
  }

  release(): void {
    this.#pieces = [];
    this.#join = undefined;
    this.#joined = 0;
  }

  #firstPieces(): Buffer[] {
    let bytes = 0;
    return this.#pieces.filter((piece) => {
      const isWanted = bytes < headBytes;
      bytes += piece.length;
      return isWanted;
    });
  }

  #endJoin(): void {
    if (this.#join && this.#joined > 0) {
      const joined = this.#join.subarray(0, this.#joined);
      // A sender of large and tiny pieces in turn must not hold a whole buffer for each of the tiny ones.
      this.#pieces.push(this.#joined < joinBytes / 2 ? Buffer.from(joined) : joined);
    }
    this.#join = undefined;
    this.#joined = 0;
  }
}
