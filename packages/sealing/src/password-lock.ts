// Locks a session's token with a password: seals it with a key that scrypt (RFC 7914) derives. Opening the lock proves
// the password; nothing else of it is stored. scrypt runs in libuv's threads and takes 32 MB and a tenth of a
// second: callers bound how many run at once.

import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

import { openSealed, sealBytes } from './seal.ts';

/** `blockSize` is r, `lanes` p; N is 2 to the power of `logN`. */
interface Cost {
  readonly logN: number;
  readonly blockSize: number;
  readonly lanes: number;
}

const costOfNew: Cost = { logN: 15, blockSize: 8, lanes: 1 };
/** Twice as much as a new lock needs, since a damaged row must not demand more. */
const memoryMaxBytes = 2 ** 27;
const saltBytes = 16;
const keyBytes = 32;
const headBytes = 3 + saltBytes;

export interface PasswordKey {
  readonly cost: Cost;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** Derives a key with a new salt. */
export function derivePasswordKey(password: string): Promise<PasswordKey> {
  return deriveKey(password, { cost: costOfNew, salt: randomBytes(saltBytes) });
}

async function deriveKey(password: string, { cost, salt }: Omit<PasswordKey, 'key'>): Promise<PasswordKey> {
  const { logN, blockSize: r, lanes: p } = cost;
  const key = await derive(password, salt, keyBytes, { N: 2 ** logN, r, p, maxmem: memoryMaxBytes });
  return { cost, salt, key };
}

export function lockToken({ cost, salt, key }: PasswordKey, token: string): Buffer {
  const head = Buffer.from([cost.logN, cost.blockSize, cost.lanes, ...salt]);
  return Buffer.concat([head, sealBytes(key, 'password', Buffer.from(token))]);
}

/** Returns a lock that no password opens, at the same cost as a real one for a token of this length. */
export function createDecoyLock(tokenLength: number): Buffer {
  const key = randomBytes(keyBytes);
  return lockToken({ cost: costOfNew, salt: randomBytes(saltBytes), key }, 'x'.repeat(tokenLength));
}

/** Resolves with the token; undefined for a wrong password. */
export async function unlockToken(lock: Uint8Array, password: string): Promise<string | undefined> {
  const [logN = 0, blockSize = 0, lanes = 0] = lock;
  const salt = lock.subarray(3, headBytes);
  const { key } = await deriveKey(password, { cost: { logN, blockSize, lanes }, salt });
  try {
    return openSealed(key, 'password', lock.subarray(headBytes)).toString();
  } catch {
    // A failure here means a wrong password, since the session's own seal authenticates the bytes.
    return undefined;
  }
}
