// Composes messages from requests to send them: small ones here, others in a thread, one at a time and in turns.

import { WorkerThreads } from '#threads/worker-threads';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import { turnOwner } from '../../service/session/turn-owner.ts';
import { WorkerPool } from '../../limits/worker-pool.ts';
import { type ComposedMessage, type Composition, tryToCompose } from './compose-message.ts';

export interface MessageComposer {
  /** `body` may be transferred. @throws MayflyError malformed_body, invalid_parameter, unavailable */
  compose(body: Buffer, session: Session): Promise<ComposedMessage>;
  close(): Promise<void>;
}

/** Composing this takes a few ms, less than passing it to a thread that has to start. */
const smallBytes = 64 * 1024;
/** Several times what the largest body takes, most of it text. */
const heapMb = 192;
const timeBudgetMs = 5000;

/** `workerUrl`: the built compose-worker, for tests that run the sources. */
export function createMessageComposer({ workerUrl }: { readonly workerUrl?: URL } = {}): MessageComposer {
  const threads = new WorkerThreads<Uint8Array, Composition>({
    workerUrl: workerUrl ?? new URL('./compose-worker.js', import.meta.url),
    ...{ threads: 1, idleMs: 10_000, resourceLimits: { maxOldGenerationSizeMb: heapMb } },
  });
  const pool = new WorkerPool({ threads, timeBudgetMs, maxQueued: 100, maxWaitMs: 30_000 });

  async function composeInThread(body: Buffer, session: Session): Promise<Composition> {
    const { buffer } = body;
    const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === body.length;
    const bytes = isOwn ? new Uint8Array(buffer) : new Uint8Array(body);
    const given = { owner: turnOwner(session), request: bytes, transfer: [bytes.buffer] };
    const outcome = await pool.run(given);
    if (outcome.kind === 'answer') return outcome.answer;
    const reason = 'The message takes too long to put together.';
    return { kind: 'refused', code: 'invalid_parameter', reason };
  }

  return {
    async compose(body, session) {
      const composition =
        body.length <= smallBytes ? tryToCompose(body) : await composeInThread(body, session);
      if (composition.kind === 'composed') return composition.message;
      throw new MayflyError(composition.code, composition.reason);
    },
    close: async () => {
      pool.close();
      await threads.close();
    },
  };
}
