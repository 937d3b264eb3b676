// Entry of the thread that reads one message at a time, because the sender decides how long that takes. Started by
// visible-reader, which may terminate it at any time.

import { parentPort } from 'node:worker_threads';

import { readSeenMessage } from '@mayfly/mail-reader/visible';

parentPort?.on('message', (raw: Uint8Array) => {
  parentPort?.postMessage(readSeenMessage(raw) ?? null);
});
