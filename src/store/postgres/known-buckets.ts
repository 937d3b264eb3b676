// Caches the bucket of each session's rows, which every statement about them needs and which never changes. Owned by
// PostgresMailStore.

import { type SessionKey, toKeyText } from '../../domain/session.ts';

const knownMax = 50_000;

export class KnownBuckets {
  readonly #find: (key: SessionKey) => Promise<number | undefined>;
  readonly #known = new Map<string, number>();

  constructor(find: (key: SessionKey) => Promise<number | undefined>) {
    this.#find = find;
  }

  /** Undefined for an unknown session. */
  async get(key: SessionKey): Promise<number | undefined> {
    const known = this.#known.get(toKeyText(key));
    if (known !== undefined) return known;
    const found = await this.#find(key);
    if (found !== undefined) this.learn(key, found);
    return found;
  }

  learn(key: Uint8Array, bucket: number): void {
    const text = toKeyText(key);
    if (this.#known.has(text)) return;
    this.#known.set(text, bucket);
    const oldest = this.#known.size > knownMax ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
