// The session that a store returns once it has created it.

import type { Session } from '../domain/session.ts';
import type { NewSession } from './mail-store.ts';

/** Returns a session as it is right after its creation. */
export function toNewSession(given: NewSession, createdAt: number): Session {
  return {
    key: given.key,
    address: given.address,
    publicKey: given.publicKey,
    salt: given.salt,
    createdAt,
    expiresAt: createdAt + given.lifetimeMs,
    latestEndAt: createdAt + given.totalLifetimeMs,
    seq: 0,
    version: 0,
    messageCount: 0,
    messageBytes: 0,
    ...(given.dropsOldest === true ? { dropsOldest: true } : {}),
  };
}
