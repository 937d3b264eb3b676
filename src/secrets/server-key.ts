// The service's own key, in a file in the data folder. It seals what the service needs without a session's token: the
// URLs and the unsent content of webhooks, push subscriptions, passwords, tickets, the certificate's key. A copy of the store without this file
// does not reveal such data.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { SessionKey } from '../domain/session.ts';
import { makeKeyFile } from './make-key-file.ts';
import { readIfThere } from './read-if-there.ts';
import { hkdf } from './sealed-keys.ts';

const keyBytes = 32;

/** Makes the key on the first call. @throws Error when the file is not a key, or cannot be read or made */
export function loadServerKey(dataDir: string): Buffer {
  const file = join(dataDir, 'server.key');
  const key = readIfThere(file) ?? makeKeyFile(file, randomBytes(keyBytes));
  if (key.length !== keyBytes) throw new Error(`${file} is not a key of ${keyBytes} bytes.`);
  return key;
}

/** Returns the key for one use and one session, so that nothing sealed opens as anything else, or elsewhere. */
export function deriveServerKey(
  serverKey: Uint8Array,
  use: 'password' | 'push' | 'webhook content',
  session: SessionKey,
): Buffer {
  return hkdf(serverKey, session, `mayfly ${use} 1`);
}

/** Returns the key for one record of the service as a whole. */
export function deriveRecordKey(serverKey: Uint8Array, name: string): Buffer {
  return hkdf(serverKey, name, 'mayfly record 1');
}
