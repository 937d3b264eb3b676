// Entry of the thread that reads one message at a time: a sender decides how long that takes. Started by
// visible-reader; it may be ended at any instant.

import { parentPort } from 'node:worker_threads';

import { readSeenMessage } from '@mayfly/mail-reader/visible';

parentPort?.on('message', (raw: Uint8Array) => {
  parentPort?.postMessage(readSeenMessage(raw) ?? null);
});
