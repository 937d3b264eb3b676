// Glances of many messages in one request to the thread that makes them: what comes while one request runs goes along
// with the next, so that under load each costs a share of a round trip between threads. Used by message-parser. One
// message must never cost another its glance: a batch that fails is done again one by one.

import { MayflyError } from '../domain/mayfly-error.ts';
import type { MessageGlance } from '../domain/message.ts';

export interface GlanceBatchesOptions {
  /** Glances that may wait. */
  readonly maxQueued: number;
  /** The heads are given away. Undefined when the thread failed on them. @throws unavailable when it is closed */
  readonly run: (heads: readonly Uint8Array<ArrayBuffer>[]) => Promise<readonly MessageGlance[] | undefined>;
}

interface Waiting {
  /** Left as it is until the glance is made: a second try needs it. */
  readonly head: Uint8Array;
  readonly resolve: (glance: MessageGlance) => void;
  readonly reject: (error: unknown) => void;
}

const batchMax = 32;
const emptyGlance: MessageGlance = { preview: '', hasAttachments: false, code: null };

export function createGlanceBatches({ maxQueued, run }: GlanceBatchesOptions): {
  /** @throws unavailable when too many wait */
  glance(head: Uint8Array): Promise<MessageGlance>;
} {
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function work(): Promise<void> {
    for (let batch = waiting.splice(0, batchMax); batch.length > 0; batch = waiting.splice(0, batchMax)) {
      if (!(await tryBatch(batch)) && batch.length > 1) for (const one of batch) await tryBatch([one]);
    }
    isRunning = false;
  }

  /** False when the thread failed on it; then nobody is answered but a message that was alone. */
  async function tryBatch(batch: readonly Waiting[]): Promise<boolean> {
    try {
      const glances = await run(batch.map(({ head }) => new Uint8Array(head)));
      if (!glances && batch.length > 1) return false;
      batch.forEach(({ resolve }, at) => {
        resolve(glances?.[at] ?? emptyGlance);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    return true;
  }

  return {
    glance(head) {
      if (waiting.length >= maxQueued) {
        const retry = { retryAfterSeconds: 2 };
        return Promise.reject(
          new MayflyError('unavailable', 'Too many messages are being read at once.', retry),
        );
      }
      return new Promise((resolve, reject) => {
        waiting.push({ head, resolve, reject });
        if (isRunning) return;
        isRunning = true;
        // Whoever was woken in the same turn goes along.
        setImmediate(() => {
          void work();
        });
      });
    },
  };
}
