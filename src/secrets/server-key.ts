// The service's own key, in a file of its own in the data folder: what must outlive a session's data key, such as the
// URL that its end is told to, is sealed under it. A copy of the store without this file tells nothing of those.
// Read once by app.ts.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const keyBytes = 32;

/** Makes the key at the first call. @throws Error when the file is not a key or cannot be read or made */
export function loadServerKey(dataDir: string): Buffer {
  const file = join(dataDir, 'server.key');
  const key = readIfThere(file) ?? make(file);
  if (key.length !== keyBytes) throw new Error(`${file} is not a key of ${keyBytes} bytes.`);
  return key;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** On disk before anything is sealed under it. */
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
