// A passkey, and the port to what keeps passkeys. Each signs in for one administrator, that is, for one admin key, and
// is in force as long as that key is.

/** One is added only so soon after signing in, so that a tab left open is not enough. */
export const freshMs = 10 * 60_000;

export interface NewPasskey {
  /** The id of the administrator's key. */
  readonly keyId: number;
  /** Unique among the administrator's. */
  readonly name: string;
  /** Chosen by the authenticator; at most 1,023 bytes, unique. */
  readonly credentialId: Uint8Array;
  /** In COSE's form (RFC 9052). */
  readonly publicKey: Uint8Array;
  /** The authenticator's count of signatures; 0 for those that do not count. */
  readonly counter: number;
  /** How a browser may reach the authenticator, such as `usb`. */
  readonly transports: readonly string[];
}

export interface StoredPasskey extends NewPasskey {
  /** Never reused. */
  readonly id: number;
  /** The name of the administrator's key. */
  readonly administrator: string;
  /** Instants in ms since 1970, on the store's clock. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface PasskeyStore {
  /**
   * Resolves with false when its name or credential is there already, or the key is not an admin key in force.
   */
  addPasskey(passkey: NewPasskey): Promise<boolean>;
  /** Those of keys in force, in order of id. Always current, on every node. */
  listPasskeys(): Promise<StoredPasskey[]>;
  /** Resolves with false when there is none. */
  removePasskey(id: number): Promise<boolean>;
  removePasskeysOf(keyId: number): Promise<void>;
  /**
   * Notes a sign-in. Resolves with false, having changed nothing, unless the passkey is in force and the counter has
   * grown, or is 0 as it was.
   */
  usePasskey(id: number, counter: number): Promise<boolean>;
  /**
   * Notes that the challenge with this hash was used, for as long as it would be valid. Resolves with false when it was
   * noted before, or too many are.
   */
  spendChallenge(hash: Uint8Array, keptMs: number): Promise<boolean>;
}
