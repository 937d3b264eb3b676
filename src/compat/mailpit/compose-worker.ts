// Entry of the thread that composes large messages. Started by message-composer in its built form; keeps no state
// between requests and may be terminated at any instant.

import { parentPort } from 'node:worker_threads';

import { serveRequests } from '#threads/serve-requests';
import { type Composition, tryToCompose } from './compose-message.ts';

if (parentPort !== null) {
  serveRequests<Uint8Array, Composition>(parentPort, tryToCompose, (composition) =>
    composition.kind === 'composed' ? [composition.message.bytes.buffer] : [],
  );
}
