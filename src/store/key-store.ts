// The port to API keys. Few, and read whole into memory by the keyring (src/service/keyring.ts); of a key only its
// SHA-256 is kept. Every implementation passes test/contract/ports/keys.ts.

import type { KeyKind, KeyScope } from '../domain/api-key.ts';

export interface NewKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly KeyScope[];
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Uint8Array;
  /** Calls a minute; null for what is usual. */
  readonly ratePerMinute: number | null;
}

export interface StoredKey extends NewKey {
  /** Never reused. */
  readonly id: number;
  /** Instants in ms since 1970, on the store's clock. */
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly uses: number;
  readonly lastUsedAt: number | null;
}

export interface KeyUses {
  readonly id: number;
  /** To be added to what is there. */
  readonly uses: number;
  readonly lastUsedAt: number;
}

export interface KeyStore {
  /** `taken` when a key of this name is in force. */
  addKey(key: NewKey): Promise<StoredKey | 'taken'>;
  /** In order of id, revoked ones included. */
  listKeys(): Promise<StoredKey[]>;
  /** Undefined when no key of this name is in force. */
  revokeKey(name: string): Promise<StoredKey | undefined>;
  addUses(uses: readonly KeyUses[]): Promise<void>;
}
