// Names a message by what it is made of, for providers that give it no id of its own.

import { createHash } from 'node:crypto';

import type { GivenEnvelope } from './envelope-line.ts';

export class ContentId {
  readonly #hash = createHash('sha256');

  push(piece: Buffer): void {
    this.#hash.update(piece);
  }

  end({ mailFrom, rcptTo }: GivenEnvelope): string {
    return this.#hash.update(JSON.stringify([mailFrom, rcptTo])).digest('hex');
  }
}
