// A refused BDAT chunk, whose octets are discarded before it is answered (RFC 3030 §2). Owned by the engine.

import type { InputBuffer } from './input-buffer.ts';
import type { Reply } from '../reply.ts';

export class SwallowedChunk {
  readonly reply: Reply;
  /** Whether the chunk was the sender's mistake. */
  readonly isFault: boolean;
  #leftBytes: number;

  constructor(sizeBytes: number, reply: Reply, isFault: boolean) {
    this.#leftBytes = sizeBytes;
    this.reply = reply;
    this.isFault = isFault;
  }

  /** Reports whether all of it has arrived. */
  read(input: InputBuffer): boolean {
    input.read((bytes, at) => {
      const taken = Math.min(this.#leftBytes, bytes.length - at);
      this.#leftBytes -= taken;
      return at + taken;
    });
    return this.#leftBytes === 0;
  }
}
