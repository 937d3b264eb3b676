// Composes messages from calls that send them: small ones here, others in a thread, one at a time and in turns.

import { MayflyError, unavailable } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import { turnOwner } from '../../service/session/turn-owner.ts';
import { WorkerPool } from '#threads/worker-pool';
import { WorkerThreads } from '#threads/worker-threads';
import { compose, type ComposeCall, type Composition } from '#senders/compose';
import { readerOf } from '#senders/readers';

/** Messages, or a refusal in the terms of the dialect. */
export type Composed = Exclude<Composition, { kind: 'failed' }>;

export interface MessageComposer {
  /** The body may be transferred. @throws MayflyError unavailable, malformed_body, and others of the reader */
  compose(call: ComposeCall, session: Session): Promise<Composed>;
  close(): Promise<void>;
}

/** Composing this takes a few ms, less than passing it to a thread that has to start. */
const smallBytes = 64 * 1024;
/** Several times what the largest body takes, most of it text. */
const heapMb = 384;
const timeBudgetMs = 5000;

/** `workerUrl`: the built compose-worker, for tests that run the sources. */
export function createMessageComposer({ workerUrl }: { readonly workerUrl?: URL } = {}): MessageComposer {
  const threads = new WorkerThreads<ComposeCall, Composition>({
    workerUrl: workerUrl ?? new URL('./compose-worker.js', import.meta.url),
    threads: 1,
    idleMs: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const pool = new WorkerPool({
    threads,
    refuse: unavailable,
    timeBudgetMs,
    queuedMax: 100,
    waitMaxMs: 30_000,
  });

  async function composeInThread(call: ComposeCall, session: Session): Promise<Composition> {
    const { buffer } = call.body;
    const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === call.body.length;
    const body = isOwn ? new Uint8Array(buffer) : new Uint8Array(call.body);
    const request = { ...call, body };
    const outcome = await pool.run({ owner: turnOwner(session), request, transfer: [body.buffer] });
    if (outcome.kind === 'answer') return outcome.answer;
    throw new MayflyError('invalid_parameter', 'The message takes too long to put together.');
  }

  return {
    async compose(call, session) {
      const isSmall = call.body.length <= smallBytes;
      const composition = isSmall
        ? compose(readerOf(call.reader), call)
        : await composeInThread(call, session);
      if (composition.kind === 'failed') throw new MayflyError(composition.code, composition.reason);
      return composition;
    },
    close: async () => {
      pool.close();
      await threads.close();
    },
  };
}
