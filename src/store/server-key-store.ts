// The port to the fingerprint of the `server.key` with which the store is used: all nodes must have the same. Passes
// test/contract/ports/server-keys.ts.

export interface ServerKeyStore {
  /** Resolves with undefined in a store that no key has been used with. */
  readFingerprint(): Promise<Uint8Array | undefined>;
  /** Keeps the fingerprint unless there is one. Resolves with the one that is kept, the same on all nodes. */
  claim(fingerprint: Uint8Array): Promise<Uint8Array>;
  /** Makes room for another. Reports whether there was one. */
  forget(): Promise<boolean>;
}
