// The format of sealed mail (docs/sealed-mail.md), as far as other folders may know it.

import { sealOverheadBytes } from './seal.ts';

/** The parts of a session that its mail is sealed with; they open nothing. */
export interface SealTarget {
  /** X25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Random, 16 bytes; deleted when the session ends. */
  readonly salt: Uint8Array;
}

export const saltBytes = 16;
export const version = 1;
/** The header of what is sealed: the version, then the ephemeral public key. */
export const sealHeaderBytes = 1 + 32;
/** A wrapped reading key: nonce, tag, and the seed. */
export const wrappedKeyBytes = sealOverheadBytes + 32;
