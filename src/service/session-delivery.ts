// One message for one session, sealed when the store asks for that: a store that has a thread seal it does not.

import type { RawMessage } from '../domain/message.ts';
import type { Session, SessionKey } from '../domain/session.ts';
import { sealBytes } from '../secrets/seal.mjs';
import type { Delivery, PlainDelivery } from '../store/mail-store.ts';
import { sealRaw } from './sealed-raw.ts';

interface Message {
  readonly meta: Uint8Array;
  readonly raw: RawMessage;
  readonly origin: Uint8Array | undefined;
}

export class SessionDelivery implements Delivery {
  readonly key: SessionKey;
  readonly sizeBytes: number;
  readonly origin: Uint8Array | undefined;
  readonly plain: PlainDelivery;
  readonly #raw: RawMessage;
  #sealedMeta: Uint8Array | undefined;
  #sealedRaw: Iterable<Uint8Array> | undefined;

  constructor({ key, dataKey }: Session, { meta, raw, origin }: Message) {
    this.key = key;
    this.sizeBytes = raw.sizeBytes;
    this.origin = origin;
    this.plain = { dataKey, meta, raw };
    this.#raw = raw;
  }

  get meta(): Uint8Array {
    const { dataKey, meta } = this.plain;
    return (this.#sealedMeta ??= sealBytes(dataKey, 'meta', meta));
  }

  get raw(): Iterable<Uint8Array> {
    return (this.#sealedRaw ??= sealRaw(this.plain.dataKey, this.#raw));
  }
}
