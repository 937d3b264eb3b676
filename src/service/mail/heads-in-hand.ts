// The first bytes of messages that were just stored, so that their glances are made without reading them back: nothing
// opens stored mail before a request with its token does. Bounded in bytes and in age; what is dropped is made at the
// first list. Filled after each commit, emptied by early-glances and by lists.

import { headBytes } from '../../domain/limits.ts';
import type { RawMessage } from '../../domain/message.ts';
import { type SessionKey, toKeyText } from '../../domain/session.ts';

const heldBytesMax = 8 * 1024 * 1024;
/** The cost of an entry besides its bytes. */
const entryBytes = 512;
const ageMaxMs = 60_000;

export interface HeldHead {
  readonly key: SessionKey;
  readonly id: number;
  readonly head: Uint8Array;
  readonly isWhole: boolean;
}

interface Entry extends HeldHead {
  /** Monotonic, ms. */
  readonly since: number;
}

export class HeadsInHand {
  readonly #bytesMax: number;
  /** In order of arrival. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(bytesMax = heldBytesMax) {
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Call for each stored message before its bytes are released. */
  hold(key: SessionKey, id: number, raw: Pick<RawMessage, 'head' | 'sizeBytes'>): void {
    const head = ownHead(raw.head());
    const entry = { key, id, head, isWhole: raw.sizeBytes <= head.length, since: performance.now() };
    const name = nameOf(key, id);
    this.#remove(name);
    this.#entries.set(name, entry);
    this.#bytes += weigh(entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#remove(oldest);
    }
  }

  /** Removes the message's head and returns it. */
  take(key: SessionKey, id: number): HeldHead | undefined {
    return this.#remove(nameOf(key, id));
  }

  /** Removes and returns the newest ones, which are likely to be read first. */
  takeNewest(count: number): HeldHead[] {
    // A map cannot be walked backwards; while little mail arrives, few wait.
    const names = [...this.#entries.keys()].slice(-count).reverse();
    return names.map((name) => this.#remove(name)).filter((held) => held !== undefined);
  }

  dropOld(): void {
    const before = performance.now() - ageMaxMs;
    for (const [name, { since }] of this.#entries) {
      if (since > before) break;
      this.#remove(name);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #remove(name: string): HeldHead | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    this.#entries.delete(name);
    this.#bytes -= weigh(entry);
    return entry;
  }
}

function nameOf(key: SessionKey, id: number): string {
  return `${toKeyText(key)}${id}`;
}

function weigh({ head }: HeldHead): number {
  return entryBytes + head.length;
}

/** Copies a head that is a small part of what was received at once, which it would keep in memory. */
export function ownHead(bytes: Buffer): Uint8Array {
  const head = bytes.subarray(0, headBytes);
  return head.length < head.buffer.byteLength / 2 ? new Uint8Array(head) : head;
}
