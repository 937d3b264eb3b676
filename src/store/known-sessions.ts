// Live sessions that a store keeps in memory, by key and by address, a bounded number of them: a recipient or a token then
// costs no read. When they are to be forgotten the store knows: SessionRows of SQLite, KnownHolders of PostgreSQL.

import { toKeyText } from '../domain/session.ts';

/** What a session needs to be found by. */
interface Known {
  readonly key: Uint8Array;
}

const knownMax = 20_000;

export class KnownSessions<Row extends Known> {
  readonly #addressOf: (row: Row) => string;
  /** The one added longest ago first. */
  readonly #byKey = new Map<string, Row>();
  /** By the row's own key, which is in the sessions made of it: no text is to be made of that. */
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
    // Under an address that the session has no more, too.
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

  /** When the session ends its data key must not stay in memory. */
  forget(row: Row): void {
    const keyText = toKeyText(row.key);
    this.#forgetKey(keyText);
    const addressKey = this.#addressOf(row);
    const holder = this.#byAddress.get(addressKey);
    if (holder && toKeyText(holder.key) === keyText) this.#byAddress.delete(addressKey);
  }

  /** What is known by it may be another row, read at another time. */
  #forgetKey(keyText: string): void {
    const known = this.#byKey.get(keyText);
    if (known) this.#byOwnKey.delete(known.key);
    this.#byKey.delete(keyText);
  }
}
