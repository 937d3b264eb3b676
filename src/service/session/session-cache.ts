// Caches what was derived from sessions' mail, within a bound. Entries are evicted by least recent use, and removed
// with their message or session, so that no decrypted mail outlives them here; a result still being made is then not
// kept. Unused entries expire, so that memory holds the mail only of those who read it just now, and nothing of sessions
// that another node ended; used ones need not, since each use follows a look-up that found the session live. Made by
// session-caches.ts.

import { type SessionKey, toKeyText } from '../../domain/session.ts';
import { CallerGone } from './caller-gone.ts';

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
  readonly owner: string;
  /** Monotonic, ms; for an entry being made, when that began. */
  usedAt: number;
}

interface Made<V> {
  readonly value: V;
  /** In the cache's unit; Infinity for what must not be kept. */
  readonly weight: number;
}

/** One entry being made, possibly by several callers. */
interface Making<V> {
  count: number;
  shared?: Promise<V>;
}

/** How much later than due an unused entry may be removed. */
const tidyMs = 5000;

export class SessionCache<V> {
  readonly #weightMax: number;
  readonly #idleMaxMs: number;
  /** In order of last use, the oldest first. */
  readonly #entries = new Map<string, Entry<V>>();
  /** Names by owner, of entries and of results being made. */
  readonly #names = new Map<string, Set<string>>();
  readonly #making = new Map<string, Making<V>>();
  #weight = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param idleMaxMs since the last use */
  constructor(weightMax: number, idleMaxMs = Infinity) {
    this.#weightMax = weightMax;
    this.#idleMaxMs = idleMaxMs;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0 && this.#making.size === 0;
  }

  get(key: SessionKey, part: string): V | undefined {
    const name = toKeyText(key) + part;
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const now = performance.now();
    if (now - entry.usedAt >= this.#idleMaxMs) {
      this.#remove(name);
      this.#tidyName(entry.owner, name);
      return undefined;
    }
    entry.usedAt = now;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value;
  }

  /** Makes the entry anew. A result heavier than the whole cache is not kept. */
  async make(key: SessionKey, part: string, work: () => Promise<Made<V>>): Promise<V> {
    const owner = toKeyText(key);
    const name = owner + part;
    const making = this.#making.get(name) ?? { count: 0 };
    making.count += 1;
    this.#making.set(name, making);
    this.#addName(owner, name);
    const usedAt = performance.now();
    try {
      const { value, weight } = await work();
      if (this.#making.get(name) === making) this.#keep(name, { value, weight, owner, usedAt });
      return value;
    } finally {
      making.count -= 1;
      // A failure is not shared with later callers.
      delete making.shared;
      if (making.count === 0 && this.#making.get(name) === making) this.#making.delete(name);
      this.#tidyName(owner, name);
    }
  }

  /** Returns the cached result, else one being made, else makes it. */
  share(key: SessionKey, part: string, work: () => Promise<Made<V>>): Promise<V> {
    const kept = this.get(key, part);
    if (kept !== undefined) return Promise.resolve(kept);
    const name = toKeyText(key) + part;
    const shared = this.#making.get(name)?.shared;
    if (shared) {
      // The caller who began may have left.
      return shared.catch((error: unknown) => {
        if (error instanceof CallerGone) return this.share(key, part, work);
        throw error;
      });
    }
    const made = this.make(key, part, work);
    const making = this.#making.get(name);
    if (making) making.shared = made;
    return made;
  }

  delete(key: SessionKey, part: string): void {
    const owner = toKeyText(key);
    this.#drop(owner, owner + part);
  }

  /** Removes everything of the session. */
  forget(key: SessionKey): void {
    const owner = toKeyText(key);
    for (const name of [...(this.#names.get(owner) ?? [])]) this.#drop(owner, name);
  }

  /** Removes everything. */
  clear(): void {
    this.#entries.clear();
    this.#making.clear();
    this.#names.clear();
    this.#weight = 0;
    this.#stopTidying();
  }

  #keep(name: string, entry: Entry<V>): void {
    this.#remove(name);
    if (entry.weight > this.#weightMax) return;
    this.#entries.set(name, entry);
    this.#weight += entry.weight;
    for (const [oldest, { owner }] of this.#entries) {
      if (this.#weight <= this.#weightMax) break;
      this.#remove(oldest);
      this.#tidyName(owner, oldest);
    }
    if (this.#idleMaxMs < Infinity) this.#timer ??= setInterval(this.#tidy, tidyMs).unref();
  }

  /** Checks all entries, since one that took long to make may have been used earlier than its position suggests. */
  readonly #tidy = (): void => {
    const usedBefore = performance.now() - this.#idleMaxMs;
    for (const [name, { owner, usedAt }] of this.#entries) {
      if (usedAt > usedBefore) continue;
      this.#remove(name);
      this.#tidyName(owner, name);
    }
    if (this.#entries.size === 0) this.#stopTidying();
  };

  #stopTidying(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #drop(owner: string, name: string): void {
    this.#making.delete(name);
    this.#remove(name);
    this.#tidyName(owner, name);
  }

  #remove(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    this.#entries.delete(name);
    this.#weight -= entry.weight;
  }

  #addName(owner: string, name: string): void {
    const names = this.#names.get(owner);
    if (names) names.add(name);
    else this.#names.set(owner, new Set([name]));
  }

  #tidyName(owner: string, name: string): void {
    const names = this.#names.get(owner);
    if (!names || this.#entries.has(name) || this.#making.has(name)) return;
    names.delete(name);
    if (names.size === 0) this.#names.delete(owner);
  }
}
