// The port to API keys. Few, and read whole into memory by the keyring (src/service/operating/keyring.ts). Only the SHA-256 of a
// key is stored. Every implementation passes test/contract/ports/keys.ts.

import type { KeyKind, KeyScope } from '../domain/api-key.ts';

export interface NewKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly KeyScope[];
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Uint8Array;
  /** Requests per minute; null for the default. */
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
  /** Added to the stored count. */
  readonly uses: number;
  readonly lastUsedAt: number;
}

export interface KeyStore {
  /** Resolves with `taken` when a key of this name is in force. */
  addKey(key: NewKey): Promise<StoredKey | 'taken'>;
  /** In order of id, including revoked ones. */
  listKeys(): Promise<StoredKey[]>;
  /** Resolves with undefined when no key of this name is in force. */
  revokeKey(name: string): Promise<StoredKey | undefined>;
  addUses(uses: readonly KeyUses[]): Promise<void>;
}
