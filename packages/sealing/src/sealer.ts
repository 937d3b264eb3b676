// Seals for sessions, without being able to open: content keys come from an ephemeral key that lives for an epoch in
// this process. The first seal for a session in an epoch costs an agreement of keys; the others use its result, which is
// zeroed with the ephemeral key at the epoch's end. No key outlives an idle process's epoch.

import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

import { sealAfter, sealPieces, type SealPurpose } from './seal.ts';
import { saltBytes, sealHeaderBytes, type SealTarget, version } from './sealed-format.ts';
import { deriveContentKey, toKeyPair, toSeed } from './sealed-keys.ts';

export const epochMs = 5 * 60 * 1000;
/** The most content keys in memory; beyond that the oldest go first. */
const keysMax = 20_000;

const noBytes = Buffer.alloc(0);

interface Epoch {
  readonly privateKey: KeyObject;
  readonly ephemeral: Uint8Array;
  readonly header: Uint8Array;
  /** By public key, the oldest first. */
  readonly keys: Map<string, Buffer>;
}

/** Returns what the row of a new session with this token stores. */
export function createSealTarget(token: string): SealTarget {
  const seed = toSeed(token);
  const { publicKey } = toKeyPair(seed);
  seed.fill(0);
  return { publicKey, salt: randomBytes(saltBytes) };
}

export class Sealer {
  readonly #epochMs: number;
  readonly #keysMax: number;
  #epoch: Epoch | undefined;

  constructor(options: { readonly epochMs?: number; readonly keysMax?: number } = {}) {
    this.#epochMs = options.epochMs ?? epochMs;
    this.#keysMax = options.keysMax ?? keysMax;
  }

  /** Makes the next seal for the session in this epoch cheap. */
  prime(target: SealTarget): void {
    this.#takeKey(this.#current(), target);
  }

  /** Returns the header and the sealed bytes. */
  seal(target: SealTarget, purpose: SealPurpose, plain: Uint8Array): Buffer {
    const epoch = this.#current();
    return sealAfter(epoch.header, { key: this.#takeKey(epoch, target), purpose }, plain);
  }

  /**
   * Seals chunk by chunk, each of several pieces; only the first has the header.
   * @param nextSlab returns where the next chunk is to lie; without it each has a buffer of its own
   */
  *sealChunks(
    target: SealTarget,
    chunks: Iterable<readonly Uint8Array[]>,
    nextSlab?: () => Buffer,
  ): Generator<Buffer, void> {
    const epoch = this.#current();
    // A copy, because the epoch may end before the last chunk is asked for, and its keys are zeroed.
    const key = Buffer.from(this.#takeKey(epoch, target));
    let head = epoch.header;
    try {
      for (const chunk of chunks) {
        yield sealPieces({ head, key, purpose: 'raw' }, chunk, nextSlab?.());
        head = noBytes;
      }
    } finally {
      key.fill(0);
    }
  }

  /** Whether nothing was sealed for an epoch. */
  get isAtRest(): boolean {
    return this.#epoch === undefined;
  }

  /** Ends the epoch now. The next seal begins another. */
  forget(): void {
    for (const key of this.#epoch?.keys.values() ?? []) key.fill(0);
    this.#epoch = undefined;
  }

  #current(): Epoch {
    return (this.#epoch ??= this.#begin());
  }

  #begin(): Epoch {
    const { privateKey, publicKey } = generateKeyPairSync('x25519');
    const ephemeral = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    const header = Buffer.allocUnsafeSlow(sealHeaderBytes);
    header[0] = version;
    header.set(ephemeral, 1);
    const epoch: Epoch = { privateKey, ephemeral, header, keys: new Map() };
    setTimeout(() => {
      if (this.#epoch === epoch) this.forget();
    }, this.#epochMs).unref();
    return epoch;
  }

  #takeKey({ privateKey, ephemeral, keys }: Epoch, target: SealTarget): Buffer {
    const { publicKey } = target;
    const name = Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.byteLength).toString('latin1');
    const known = keys.get(name);
    if (known) return known;
    const key = deriveContentKey({ privateKey, target, ephemeral, isOwner: false });
    keys.set(name, key);
    for (const [oldest, dropped] of keys) {
      if (keys.size <= this.#keysMax) break;
      dropped.fill(0);
      keys.delete(oldest);
    }
    return key;
  }
}

/** This process's. */
export const sealer = new Sealer();
