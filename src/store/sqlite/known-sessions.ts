// What never changes of sessions looked up lately, so that a recipient or a token costs one small read instead of a
// walk through three tables. What does change (session_states) is read every time. Owned by SessionRows.

/** The columns of `sessions`, with the data key. */
export interface SessionFacts {
  readonly id: number;
  readonly key: Uint8Array;
  readonly token_hash: Uint8Array;
  readonly address: string;
  readonly address_key: string;
  readonly created_at: number;
  readonly latest_end_at: number;
  readonly quarantine_ms: number;
  readonly data_key: Uint8Array | null;
}

const knownMax = 20_000;

function toKeyText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

export class KnownSessions {
  readonly #byKey = new Map<string, SessionFacts>();
  readonly #byAddress = new Map<string, SessionFacts>();

  findByKey(key: Uint8Array): SessionFacts | undefined {
    return this.#byKey.get(toKeyText(key));
  }

  findByAddress(addressKey: string): SessionFacts | undefined {
    return this.#byAddress.get(addressKey);
  }

  add(facts: SessionFacts): void {
    this.#byKey.set(toKeyText(facts.key), facts);
    this.#byAddress.set(facts.address_key, facts);
    const oldest = this.#byKey.size > knownMax ? this.#byKey.values().next().value : undefined;
    if (oldest) this.forget(oldest);
  }

  /** Of a session that has ended: its data key must not stay in memory. */
  forget(facts: SessionFacts): void {
    this.#byKey.delete(toKeyText(facts.key));
    if (this.#byAddress.get(facts.address_key)?.id === facts.id) this.#byAddress.delete(facts.address_key);
  }
}
