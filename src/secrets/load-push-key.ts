// The service's own key pair for Web Push, in a file of its own in the data folder unless the operator sets one, since
// every node of a service must have the same key.

import { join } from 'node:path';

import { messageOf } from '#system-errors/error-message';
import { createKeyText, createPushKey, type PushKey } from '#notifications/push-key';
import { makeKeyFile } from '#sealing/make-key-file';
import { readIfThere } from '#sealing/read-if-there';

/** Creates the key at the first call. @throws Error when the file is not a key, or cannot be read or created */
export function loadPushKey(dataDir: string): PushKey {
  const file = join(dataDir, 'push.key');
  const text = (readIfThere(file) ?? makeKeyFile(file, Buffer.from(`${createKeyText()}\n`))).toString();
  try {
    return createPushKey(text.trim());
  } catch (error) {
    throw new Error(`${file} ${messageOf(error)}.`, { cause: error });
  }
}
