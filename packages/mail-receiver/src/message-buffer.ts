// Collects the bytes of one message without copying large pieces. Small pieces are joined, so that a sender of single
// bytes does not cost an object each. Beyond a threshold the rest goes to a scratch file, which keeps a thousand
// senders from filling the memory.

import type { ScratchFile } from './scratch-file.ts';

/** As many first bytes stay in memory. */
export const headBytes = 64 * 1024;
const smallPieceBytes = 2048;
const joinBytes = 16 * 1024;

export interface Spill {
  /** Bytes kept in memory, at least 64 KiB; the rest goes to the file. */
  readonly afterBytes: number;
  /** @throws Error when no file can be made in the data folder */
  readonly open: () => ScratchFile;
}

/** Room is reserved in steps of this size, so that a sender holds room only for what it has sent. */
const roomStepBytes = 16 * 1024;

/** Where room for received bytes is reserved. */
export interface Room {
  /** Returns false when there is none. */
  take(bytes: number): boolean;
  /** Releases all that was taken; does nothing when nothing was. */
  release(): void;
}

/** The bytes of a message as received, dot-unstuffed. */
export class MessageBuffer {
  readonly #spill: Spill | undefined;
  readonly #room: Room | undefined;
  /** Bytes reserved so far. */
  #roomBytes: number;
  #pieces: Buffer[] = [];
  #join: Buffer | undefined;
  #joined = 0;
  /** Whether the last piece kept as received was small, so that the next one is joined to it. */
  #isLastSmall = false;
  #heldBytes = 0;
  #sizeBytes = 0;
  #file: ScratchFile | undefined;
  #failure: unknown;
  /** Joined once it was asked for. */
  #head: Buffer | undefined;

  /** @param room unlimited when absent */
  constructor(spill?: Spill, room?: Room) {
    this.#spill = spill;
    this.#room = room;
    this.#roomBytes = room ? 0 : Infinity;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Why bytes were lost (disk full, no room); undefined if none were. A message that lost bytes must be refused. */
  get failure(): unknown {
    // Flush first: a pending write may fail too, and callers rely on this at the end of a message.
    this.#endJoin();
    return this.#failure;
  }

  append(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#sizeBytes += piece.length;
    if (this.#sizeBytes > this.#roomBytes && !this.#takeRoom()) return;
    if (piece.length >= smallPieceBytes) {
      this.#isLastSmall = false;
      this.#endJoin();
      this.#keep(piece);
      return;
    }
    // The end of an ordinary message is one small piece and needs no buffer for joining.
    if (!this.#join && !this.#isLastSmall) {
      this.#isLastSmall = true;
      this.#keep(piece);
      return;
    }
    if (this.#join && this.#joined + piece.length > joinBytes) this.#endJoin();
    this.#join ??= Buffer.allocUnsafeSlow(joinBytes);
    piece.copy(this.#join, this.#joined);
    this.#joined += piece.length;
  }

  /** Returns the first bytes, at least the lesser of `sizeBytes` and `headBytes`. */
  head(): Buffer {
    this.#endJoin();
    // A message this short is soon wanted as one piece: join it once.
    if (this.#pieces.length > 1 && this.#sizeBytes <= headBytes) this.#pieces = [Buffer.concat(this.#pieces)];
    const [first] = this.#pieces;
    if (!first) return Buffer.alloc(0);
    const isAll = this.#pieces.length === 1;
    if (isAll && first.length <= headBytes) return first;
    if (isAll || first.length >= headBytes) return first.subarray(0, headBytes);
    const bytes = Math.min(this.#heldBytes, headBytes);
    if (this.#head?.length !== bytes) this.#head = Buffer.concat(this.#firstPieces(), bytes);
    return this.#head;
  }

  /** Yields all bytes in order, in pieces of any size. May be called again. */
  pieces(): Iterable<Buffer> {
    this.#endJoin();
    return this.#file ? piecesWith(this.#pieces, this.#file) : this.#pieces;
  }

  /** Frees what is held; may be called twice. */
  release(): void {
    this.#pieces = [];
    this.#head = undefined;
    this.#join = undefined;
    this.#joined = 0;
    this.#file?.close();
    this.#file = undefined;
    this.#room?.release();
  }

  #takeRoom(): boolean {
    if (this.#failure !== undefined) return false;
    const bytes = Math.ceil((this.#sizeBytes - this.#roomBytes) / roomStepBytes) * roomStepBytes;
    if (this.#room?.take(bytes) === false) {
      this.#failure = new Error('There is no room for the message.');
      this.release();
      return false;
    }
    this.#roomBytes += bytes;
    return true;
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
    const joined = this.#join?.subarray(0, this.#joined);
    this.#join = undefined;
    this.#joined = 0;
    if (!joined || joined.length === 0) return;
    // Copy a mostly empty buffer: a sender could alternate tiny and large pieces to pin memory.
    this.#keep(joined.length < joinBytes / 2 ? Buffer.from(joined) : joined);
  }

  #keep(piece: Buffer): void {
    if (this.#failure !== undefined) return;
    const room = (this.#spill?.afterBytes ?? Infinity) - this.#heldBytes;
    if (piece.length <= room) {
      this.#pieces.push(piece);
      this.#heldBytes += piece.length;
      return;
    }
    // Fill the memory to the limit, because the head must be there. Copied, to release the rest.
    if (room > 0) this.#pieces.push(Buffer.from(piece.subarray(0, room)));
    this.#heldBytes += room;
    this.#writeOut(piece.subarray(room));
  }

  #writeOut(piece: Buffer): void {
    try {
      this.#file ??= this.#spill?.open();
      this.#file?.append(piece);
    } catch (error) {
      this.#failure = error;
      this.release();
    }
  }
}

function* piecesWith(pieces: readonly Buffer[], file: ScratchFile): Generator<Buffer> {
  yield* pieces;
  yield* file.pieces();
}
