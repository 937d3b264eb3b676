// Entry of the thread that composes large messages. Started by message-composer in its built form; keeps no state
// between calls and may be terminated at any instant.

import { parentPort } from 'node:worker_threads';

import { serveRequests } from '#threads/serve-requests';
import { compose, type ComposeCall, type Composition } from '#senders/compose';
import { readerOf } from '#senders/readers';

if (parentPort !== null) {
  serveRequests<ComposeCall, Composition>(
    parentPort,
    (call) => compose(readerOf(call.reader), call),
    (composition) => (composition.kind === 'composed' ? composition.bodies.map(({ buffer }) => buffer) : []),
  );
}
