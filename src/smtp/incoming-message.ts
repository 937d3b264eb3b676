// One message while it comes in, by DATA or by BDAT: its bytes, and why it will be refused at its end. Owned by the
// engine for the length of a transaction.

import { DataDecoder } from './data-decoder.ts';
import { LineEndCheck } from './line-end-check.ts';
import type { LineFeedNormalizer } from './line-feed-normalizer.ts';
import type { MessageBuffer } from './message-buffer.ts';
import { replies, type Reply } from './reply.ts';

export class IncomingMessage {
  readonly body: MessageBuffer;
  readonly #maxBytes: number;
  readonly #decoder = new DataDecoder();
  readonly #lineEnds = new LineEndCheck();
  readonly #normalizer: LineFeedNormalizer | undefined;
  #isTooBig = false;
  #roomBytes = Infinity;
  #hasNoRoom = false;
  /** Octets that are held, or would be. */
  #keptBytes = 0;
  #sizeBytes = 0;
  /** Octets of the present BDAT chunk still to come. */
  #chunkLeft = 0;
  #chunkBytes = 0;
  #isLastChunk = false;

  /** @param normalizer where an LF without CR is a line end; it has the message refused where this is absent */
  constructor(body: MessageBuffer, maxBytes: number, normalizer?: LineFeedNormalizer) {
    this.body = body;
    this.#maxBytes = maxBytes;
    this.#normalizer = normalizer;
  }

  /** What the recipient with the most room has room for: a message that is larger is for nobody, and not held. */
  boundRoom(roomBytes: number): void {
    this.#roomBytes = roomBytes;
  }

  /** Octets that have come, those past the limit included. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get isLastChunk(): boolean {
    return this.#isLastChunk;
  }

  get chunkBytes(): number {
    return this.#chunkBytes;
  }

  /** Takes DATA from `input`; returns the index after the end of data, -1 when that has not come. */
  readData(input: Buffer, from: number): number {
    const { kept, endAt } = this.#decoder.push(input, from);
    this.#append(kept);
    return endAt;
  }

  beginChunk(sizeBytes: number, isLast: boolean): void {
    this.#chunkLeft = sizeBytes;
    this.#chunkBytes = sizeBytes;
    this.#isLastChunk = isLast;
  }

  /** Takes octets of the chunk from `input`; returns the index after the chunk, -1 when more of it is to come. */
  readChunk(input: Buffer, from: number): number {
    const piece = input.subarray(from, from + this.#chunkLeft);
    this.#lineEnds.push(piece);
    this.#append(piece);
    this.#chunkLeft -= piece.length;
    return this.#chunkLeft === 0 ? from + piece.length : -1;
  }

  get isChunkComplete(): boolean {
    return this.#chunkLeft === 0;
  }

  /** Why octets were lost, whatever comes next; undefined while none were. */
  findLoss(): Reply | undefined {
    if (this.#isTooBig) return replies.tooBig;
    if (this.#hasNoRoom) return replies.recipientFull;
    return this.body.failure === undefined ? undefined : replies.storageFull;
  }

  /** Why the whole message is refused, now that its end has come; undefined when it is not. */
  findRefusal(): Reply | undefined {
    const loss = this.findLoss();
    if (loss) return loss;
    const isRefused = this.#normalizer
      ? this.#decoder.hasBareCr || this.#lineEnds.hasBareCr
      : this.#decoder.hasBareLineEnd || this.#lineEnds.hasBareLineEnd;
    return isRefused ? replies.bareCarriageReturnOrLineFeed : undefined;
  }

  #append(received: Buffer): void {
    this.#sizeBytes += received.length;
    if (this.#isTooBig) return;
    const piece = this.#normalizer ? this.#normalizer.push(received) : received;
    this.#keptBytes += piece.length;
    if (this.#keptBytes > this.#maxBytes) this.#isTooBig = true;
    else if (this.#keptBytes > this.#roomBytes) this.#hasNoRoom = true;
    if (this.#isTooBig || this.#hasNoRoom) this.body.release();
    else this.body.append(piece);
  }
}
