// The rows of live sessions looked up lately. One process owns the file and every change passes through SessionRows and
// MessageRows, so a row here is what the file says: a recipient or a token costs no read. Owned by SessionRows, which
// forgets rows on every change but a delivery, and all of them when a transaction is rolled back.

import { toKeyText } from '../../domain/session.ts';

/** What a row needs to be found by. */
interface Known {
  readonly id: number;
  readonly key: Uint8Array;
  readonly address_key: string;
}

const knownMax = 20_000;

export class KnownSessions<Row extends Known> {
  readonly #byKey = new Map<string, Row>();
  readonly #byAddress = new Map<string, Row>();

  findByKey(key: Uint8Array): Row | undefined {
    return this.#byKey.get(toKeyText(key));
  }

  findByAddress(addressKey: string): Row | undefined {
    return this.#byAddress.get(addressKey);
  }

  add(row: Row): void {
    this.#byKey.set(toKeyText(row.key), row);
    this.#byAddress.set(row.address_key, row);
    const oldest = this.#byKey.size > knownMax ? this.#byKey.values().next().value : undefined;
    if (oldest) this.forget(oldest);
  }

  clear(): void {
    this.#byKey.clear();
    this.#byAddress.clear();
  }

  /** When the session ends its data key must not stay in memory. */
  forget(row: Known): void {
    this.#byKey.delete(toKeyText(row.key));
    if (this.#byAddress.get(row.address_key)?.id === row.id) this.#byAddress.delete(row.address_key);
  }
}
