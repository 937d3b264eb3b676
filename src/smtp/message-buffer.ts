// Gathers the bytes of one message as they come, without copying what comes in large pieces. Small pieces are joined,
// so that a sender of single bytes costs no object a byte. Past a threshold the rest goes to a scratch file: a
// thousand senders at once must not fill the memory.

import { headBytes } from '../domain/limits.ts';
import type { RawMessage } from '../domain/message.ts';
import type { ScratchFile } from '../secrets/scratch-file.ts';

const smallPieceBytes = 2048;
const joinBytes = 16 * 1024;

export interface Spill {
  /** Bytes kept in memory, at least 64 KiB; what comes after goes to the file. */
  readonly afterBytes: number;
  /** @throws Error when the data folder takes no file */
  readonly open: () => ScratchFile;
}

/** Asked for as bytes come, so that a sender holds room for what it has sent and for nothing else. */
const roomStepBytes = 16 * 1024;

/** Where the room for what comes is reserved. */
export interface Room {
  /** False when there is none. */
  take(bytes: number): boolean;
  /** All that was taken. Safe to call when none was. */
  giveBack(): void;
}

export class MessageBuffer implements RawMessage {
  readonly #spill: Spill | undefined;
  readonly #room: Room | undefined;
  /** Reserved, so far. */
  #roomBytes: number;
  #pieces: Buffer[] = [];
  #join: Buffer | undefined;
  #joined = 0;
  /** Whether the last piece that was kept as it came was a small one: the next one is joined. */
  #isLastSmall = false;
  #heldBytes = 0;
  #sizeBytes = 0;
  #file: ScratchFile | undefined;
  #failure: unknown;

  /** `room`: Infinite where absent. */
  constructor(spill?: Spill, room?: Room) {
    this.#spill = spill;
    this.#room = room;
    this.#roomBytes = room ? 0 : Infinity;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Why bytes were lost (the disk took no more, there was no room for them); undefined while none were. The message must then be refused. */
  get failure(): unknown {
    // What is not written yet may fail too: asked at the end of a message, this must be the whole truth.
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
    // The end of an ordinary message is one small piece: it needs no room to be joined in.
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

  head(): Buffer {
    this.#endJoin();
    // A message that is no longer than that is wanted whole soon: joined once, it is not joined again.
    if (this.#pieces.length > 1 && this.#sizeBytes <= headBytes) this.#pieces = [Buffer.concat(this.#pieces)];
    const [first] = this.#pieces;
    if (!first) return Buffer.alloc(0);
    const isAll = this.#pieces.length === 1;
    if (isAll && first.length <= headBytes) return first;
    return isAll || first.length >= headBytes
      ? first.subarray(0, headBytes)
      : Buffer.concat(this.#firstPieces(), Math.min(this.#heldBytes, headBytes));
  }

  pieces(): Iterable<Buffer> {
    this.#endJoin();
    return this.#file ? piecesWith(this.#pieces, this.#file) : this.#pieces;
  }

  release(): void {
    this.#pieces = [];
    this.#join = undefined;
    this.#joined = 0;
    this.#file?.close();
    this.#file = undefined;
    this.#room?.giveBack();
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
    // What is mostly empty is not held on to: a sender could alternate tiny and large pieces.
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
    // The memory is filled to the brim, whatever the pieces: the head must be there. Copied, to let go of the rest.
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
