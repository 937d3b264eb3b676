// Decodes base64 as it arrives, in pieces of any size, with or without line ends.

import { malformed } from '../intake.ts';

export class Base64Decoder {
  readonly #take: (piece: Buffer) => void;
  /** Up to three characters that do not make a group yet. */
  #rest = '';
  #isPadded = false;

  constructor(take: (piece: Buffer) => void) {
    this.#take = take;
  }

  /** @throws InboundRefusal */
  push(bytes: Buffer): void {
    let text = this.#rest + bytes.toString('latin1');
    if (/\s/.test(text)) text = text.replace(/\s+/g, '');
    const usable = text.length - (text.length % 4);
    this.#rest = text.slice(usable);
    if (usable === 0) return;
    this.#decode(text.slice(0, usable));
  }

  /** @throws InboundRefusal when the text broke off */
  end(): void {
    if (this.#rest !== '') this.#decode(this.#rest.padEnd(4, '='));
  }

  #decode(text: string): void {
    if (this.#isPadded || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw malformed('The content is not base64.');
    this.#isPadded = text.endsWith('=');
    this.#take(Buffer.from(text, 'base64'));
  }
}
