// The service's own key, in a file in the data folder. It seals data that must outlive a session's data key, such as
// the URL notified of the session's end. A copy of the store without this file does not reveal such data. Read once by
// app.ts.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { readIfThere } from './read-if-there.ts';

const keyBytes = 32;

/** Makes the key on the first call. @throws Error when the file is not a key, or cannot be read or made */
export function loadServerKey(dataDir: string): Buffer {
  const file = join(dataDir, 'server.key');
  const key = readIfThere(file) ?? make(file);
  if (key.length !== keyBytes) throw new Error(`${file} is not a key of ${keyBytes} bytes.`);
  return key;
}

/** Creates the key and syncs it, before anything is sealed with it. */
function make(file: string): Buffer {
  const key = randomBytes(keyBytes);
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, key);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return key;
}
