// The service's own key, in a file in the data folder. It seals what the service needs without a session's token: the
// URLs and the unsent content of webhooks, push subscriptions, passwords, tickets, the certificate's key. A copy of the
// store without this file does not reveal such data. All nodes that share a store must have the same.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { makeKeyFile } from './make-key-file.ts';
import { readIfThere } from './read-if-there.ts';
import { hkdf } from './sealed-keys.ts';

const keyBytes = 32;
const fingerprintBytes = 16;

/** Returns undefined when there is no such file. @throws Error when it is not a key, or cannot be read */
export function findServerKey(dataDir: string): Buffer | undefined {
  const file = toServerKeyFile(dataDir);
  const key = readIfThere(file);
  return key && check(file, key);
}

/** Makes the key on the first call, on disk when it `isSynced`. @throws Error as `findServerKey`, and when it cannot be made */
export function loadServerKey(dataDir: string, isSynced = true): Buffer {
  const file = toServerKeyFile(dataDir);
  return findServerKey(dataDir) ?? check(file, makeKeyFile(file, randomBytes(keyBytes), isSynced));
}

export function toServerKeyFile(dataDir: string): string {
  return join(dataDir, 'server.key');
}

function check(file: string, key: Buffer): Buffer {
  if (key.length !== keyBytes) throw new Error(`${file} is not a key of ${keyBytes} bytes.`);
  return key;
}

/** Returns what tells one key from another, and nothing else of it. */
export function fingerprintOf(serverKey: Uint8Array): Buffer {
  return hkdf(serverKey, '', 'mayfly server key fingerprint 1').subarray(0, fingerprintBytes);
}

/** Returns the key for one use and one session, so that nothing sealed opens as anything else, or elsewhere. */
export function deriveServerKey(
  serverKey: Uint8Array,
  use: 'password' | 'push' | 'webhook' | 'webhook content',
  session: Uint8Array,
): Buffer {
  return hkdf(serverKey, session, `mayfly ${use} 1`);
}

/** Returns the key for one record of the service as a whole. */
export function deriveRecordKey(serverKey: Uint8Array, name: string): Buffer {
  return hkdf(serverKey, name, 'mayfly record 1');
}
