// A session: one address, one token, one expiry. Used by every layer below HTTP.

import type { SessionKey as KeyOfToken } from '#sealing/token';

export type SessionKey = KeyOfToken;

/**
 * Converts a key for use in a Map: equal for equal bytes, one character each. A view without a copy, because every
 * message needs it.
 */
export function toKeyText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

export interface Session {
  readonly key: SessionKey;
  /** As given out, e.g. `quiet-fox@mayfly.test`. */
  readonly address: string;
  /** X25519, 32 bytes: what everything stored for the session is sealed to. Only its token opens it. */
  readonly publicKey: Uint8Array;
  /** 16 random bytes, part of the keys of all that is sealed; deleted when the session ends. */
  readonly salt: Uint8Array;
  /** Instants in ms since 1970, by the store's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The latest instant that extensions can reach. */
  readonly latestEndAt: number;
  /** The number of the newest entry in the session's log; 0 when there is none. */
  readonly seq: number;
  /** Changes with anything that changes the session's list: a delivery, deletion, read mark or extension. */
  readonly version: number;
  readonly messageCount: number;
  /** Raw bytes of all stored messages. */
  readonly messageBytes: number;
  /** Whether its oldest messages make room for a new one, which other sessions refuse when full. */
  readonly dropsOldest?: boolean;
  /** The current caller, when known. Not stored: set by the interfaces, for fair queueing. */
  readonly requester?: Requester;
}

export interface Requester {
  /** The network that work for it counts against; its session when absent. */
  readonly network?: string | undefined;
  /** Aborts when it has gone. */
  readonly gone: AbortSignal;
}

/** The session of a token. `ended` for 24 h after the end, `unknown` afterwards. */
export type SessionLookup =
  | { readonly state: 'live'; readonly session: Session; readonly now: number }
  | { readonly state: 'ended' }
  | { readonly state: 'unknown' };
