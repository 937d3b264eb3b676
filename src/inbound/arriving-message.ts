// The bytes of a message while a provider's request arrives: their line ends are made those of mail, which forms and
// JSON may have lost, and large ones go to a scratch file.

import { LineFeedNormalizer } from '#mail-receiver/line-feed-normalizer';
import { MessageBuffer, type Spill } from '#mail-receiver/message-buffer';
import { RefusedWriteError } from '../domain/refused-write.ts';

/** The message has more bytes than are taken. */
export class MessageTooBig extends Error {
  override readonly name = 'MessageTooBig';
}

export class ArrivingMessage {
  readonly raw: MessageBuffer;
  readonly #bytesMax: number;
  readonly #lineEnds = new LineFeedNormalizer(false);

  constructor(spill: Spill, bytesMax: number) {
    this.raw = new MessageBuffer(spill);
    this.#bytesMax = bytesMax;
  }

  /** @throws MessageTooBig */
  take(piece: Buffer): void {
    this.raw.append(this.#lineEnds.push(piece));
    if (this.raw.sizeBytes > this.#bytesMax) throw new MessageTooBig('The message is too big.');
  }

  /** Call after the last bytes. @throws RefusedWriteError when some were lost */
  requireKept(): void {
    const { failure } = this.raw;
    if (failure !== undefined) throw new RefusedWriteError(failure);
  }

  release(): void {
    this.raw.release();
  }
}
