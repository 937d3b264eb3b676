// A bounded cache of live sessions by key and by address, so that a recipient or token costs no read. The stores decide
// when to evict: SessionRows of SQLite, KnownHolders of PostgreSQL.

import { toKeyText } from '../domain/session.ts';

/** The keys under which a session is found. */
interface Known {
  readonly key: Uint8Array;
}

const knownMax = 20_000;

export class KnownSessions<Row extends Known> {
  readonly #addressOf: (row: Row) => string;
  /** In order of insertion, the oldest first. */
  readonly #byKey = new Map<string, Row>();
  /** By the row's own key, which the sessions created from it share; avoids converting the key to text. */
  readonly #byOwnKey = new Map<Uint8Array, Row>();
  readonly #byAddress = new Map<string, Row>();

  constructor(addressOf: (row: Row) => string) {
    this.#addressOf = addressOf;
  }

  get oldest(): Row | undefined {
    return this.#byKey.values().next().value;
  }

  findByKey(key: Uint8Array): Row | undefined {
    return this.#byOwnKey.get(key) ?? this.#byKey.get(toKeyText(key));
  }

  findByAddress(addressKey: string): Row | undefined {
    return this.#byAddress.get(addressKey);
  }

  add(row: Row): void {
    const keyText = toKeyText(row.key);
    const before = this.#byKey.get(keyText);
    // Also under an address that the session no longer has.
    if (before) this.forget(before);
    this.#byKey.set(keyText, row);
    this.#byOwnKey.set(row.key, row);
    this.#byAddress.set(this.#addressOf(row), row);
    const oldest = this.#byKey.size > knownMax ? this.oldest : undefined;
    if (oldest) this.forget(oldest);
  }

  clear(): void {
    this.#byKey.clear();
    this.#byOwnKey.clear();
    this.#byAddress.clear();
  }

  /** Nothing of a session stays in memory when it ends. */
  forget(row: Row): void {
    const keyText = toKeyText(row.key);
    this.#forgetKey(keyText);
    const addressKey = this.#addressOf(row);
    const holder = this.#byAddress.get(addressKey);
    if (holder && toKeyText(holder.key) === keyText) this.#byAddress.delete(addressKey);
  }

  /** The entry may hold another row, read at another time. */
  #forgetKey(keyText: string): void {
    const known = this.#byKey.get(keyText);
    if (known) this.#byOwnKey.delete(known.key);
    this.#byKey.delete(keyText);
  }
}
