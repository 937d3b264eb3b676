// The key that opens a session's sealed mail. It is made from the token, or from what a holder of the token wrapped it
// in, and never stored: only session-access.ts, where requests prove what they bring, may make one (a rule of
// .dependency-cruiser.cjs). It lasts as long as the request, or the connection, that brought it.

import { createHmac, type KeyObject } from 'node:crypto';

import { openSealed, sealBytes, type SealPurpose } from './seal.ts';
import { sealHeaderBytes, type SealTarget, version } from './sealed-format.ts';
import { deriveContentKey, toKeyPair, toSeed } from './sealed-keys.ts';

/** The most content keys that one reading key holds, one for each epoch and node of what it opened. */
const keysMax = 256;

interface Keys {
  readonly seed: Uint8Array;
  /** Made when something is opened. */
  privateKey: KeyObject | undefined;
  /** By ephemeral key. */
  readonly content: Map<string, Buffer>;
}

/** Overwrites the keys of a reading key that nothing refers to any more; OpenSSL does the same with its private key. */
const dropped = new FinalizationRegistry<Keys>(({ seed, content }) => {
  seed.fill(0);
  overwrite(content);
});

function overwrite(keys: Map<string, Buffer>): void {
  for (const key of keys.values()) key.fill(0);
  keys.clear();
}

export class ReadingKey {
  readonly #target: SealTarget;
  readonly #token: string;
  /** Undefined until something is opened: a request that opens nothing derives nothing. */
  #keys: Keys | undefined;

  private constructor(target: SealTarget, token: string) {
    this.#target = target;
    this.#token = token;
  }

  /** Nothing is checked: the key of a wrong token opens nothing. */
  static ofToken(token: string, target: SealTarget): ReadingKey {
    return new ReadingKey(target, token);
  }

  /** @throws Error when `wrapped` was not made by `wrap` with these arguments */
  static unwrap(wrapped: Uint8Array, wrapping: Wrapping, target: SealTarget): ReadingKey {
    const key = new ReadingKey(target, '');
    key.#keep(openSealed(toWrappingKey(wrapping), 'reading key', wrapped));
    return key;
  }

  /** @throws Error when the bytes were not sealed for this session and purpose, or were altered */
  open(purpose: SealPurpose, sealed: Uint8Array): Buffer {
    return this.openPart(purpose, sealed, sealed.subarray(sealHeaderBytes));
  }

  /** Opens a part whose header stands at the beginning of other bytes. @throws Error as `open` */
  openPart(purpose: SealPurpose, header: Uint8Array, part: Uint8Array): Buffer {
    return openSealed(this.#contentKeyOf(header), purpose, part);
  }

  /** Returns 60 bytes from which `unwrap` makes the same key again. */
  wrap(wrapping: Wrapping): Buffer {
    return sealBytes(toWrappingKey(wrapping), 'reading key', this.#derive().seed);
  }

  #derive(): Keys {
    return this.#keys ?? this.#keep(toSeed(this.#token));
  }

  #keep(seed: Uint8Array): Keys {
    const keys: Keys = { seed, privateKey: undefined, content: new Map() };
    this.#keys = keys;
    dropped.register(this, keys);
    return keys;
  }

  #contentKeyOf(header: Uint8Array): Buffer {
    if (header.length < sealHeaderBytes || header[0] !== version) throw new Error('Not a sealed message.');
    const ephemeral = header.subarray(1, sealHeaderBytes);
    const name = Buffer.from(ephemeral).toString('latin1');
    const keys = this.#derive();
    const known = keys.content.get(name);
    if (known) return known;
    const privateKey = (keys.privateKey ??= toKeyPair(keys.seed).privateKey);
    const key = deriveContentKey({ privateKey, target: this.#target, ephemeral, isOwner: true });
    if (keys.content.size === keysMax) overwrite(keys.content);
    keys.content.set(name, key);
    return key;
  }
}

/** The key that wraps a reading key: a secret, and what it must be for when it is unwrapped. */
export interface Wrapping {
  /** At least 128 random bits. */
  readonly secret: Uint8Array | string;
  /** Distinguishes the kinds of wrapping and, within them, everything that the wrapped key may be used for. */
  readonly use: string;
}

function toWrappingKey({ secret, use }: Wrapping): Buffer {
  return createHmac('sha256', secret).update(`mayfly wrapped reading key 1 ${use}`).digest();
}
