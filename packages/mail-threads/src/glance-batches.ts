// Batches glances: messages that arrive while one request to the thread runs go into the next, so that under load each
// costs a share of a round trip between threads. Used by message-parser. No message can prevent the glance of another,
// since a failed batch is repeated one by one, or delay it for long, since batches are filled in the order of a fair
// queue and the thread ends a batch that takes long.

import type { Refuse } from '../../networks/src/fair-lane.ts';
import { FairQueue, type TurnOwner } from '../../networks/src/fair-queue.ts';
import type { HeadGlance } from './reader-protocol.ts';

export interface GlanceBatchesOptions {
  /** The most glances that may wait. */
  readonly queuedMax: number;
  /** The most batches in progress. */
  readonly atOnce: number;
  readonly refuse: Refuse;
  /**
   * Transfers the heads. Resolves with at least one glance, of the first heads in order, or the failure.
   * @throws when the thread is closed
   */
  readonly run: (
    heads: readonly Uint8Array<ArrayBuffer>[],
  ) => Promise<readonly HeadGlance[] | 'slow' | 'crashed'>;
}

interface WaitingGlance {
  readonly owner: TurnOwner;
  /** Kept unchanged until the glance is made, for a second try. */
  readonly head: Uint8Array;
  readonly resolve: (glance: HeadGlance) => void;
  readonly reject: (error: unknown) => void;
}

const batchMax = 32;
/** For a message that no thread could read. */
const emptyGlance: HeadGlance = { preview: '', hasAttachments: null, code: null, isPartial: true };

export function createGlanceBatches({ queuedMax, atOnce, refuse, run }: GlanceBatchesOptions): {
  /** @throws what `refuse` returns when too many wait */
  glance(head: Uint8Array, owner: TurnOwner): Promise<HeadGlance>;
} {
  const queue = new FairQueue<WaitingGlance>({
    perSession: batchMax,
    perNetwork: batchMax,
    perSite: batchMax,
    waitingMax: queuedMax,
  });
  let running = 0;

  async function work(): Promise<void> {
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      const startedAt = performance.now();
      if (!(await tryBatch(run, batch, queue))) for (const one of batch) await tryBatch(run, [one], queue);
      const eachMs = (performance.now() - startedAt) / batch.length;
      for (const { owner } of batch) queue.leave(owner, eachMs);
    }
    running -= 1;
  }

  function takeBatch(): WaitingGlance[] {
    const batch: WaitingGlance[] = [];
    while (batch.length < batchMax) {
      const next = queue.take();
      if (!next) break;
      batch.push(next.item);
    }
    return batch;
  }

  return {
    glance(head, owner) {
      return new Promise((resolve, reject) => {
        const dropped = queue.add(owner, { owner, head, resolve, reject });
        dropped?.reject(refuse('Too many messages are being read at once.', 2));
        if (running >= atOnce) return;
        running += 1;
        // Include whatever was woken in the same turn.
        setImmediate(() => {
          void work();
        });
      });
    },
  };
}

/** Returns false when the thread failed; only a message that was alone is then answered. */
async function tryBatch(
  run: GlanceBatchesOptions['run'],
  batch: readonly WaitingGlance[],
  queue: FairQueue<WaitingGlance>,
): Promise<boolean> {
  try {
    const made = await run(batch.map(({ head }) => new Uint8Array(head)));
    if (typeof made === 'string') {
      if (batch.length > 1) return false;
      batch[0]?.resolve(made === 'slow' ? { ...emptyGlance, isProvisional: true } : emptyGlance);
      return true;
    }
    made.forEach((glance, at) => batch[at]?.resolve(glance));
    for (const one of batch.slice(made.length).reverse()) queue.putBack(one.owner, one);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
  return true;
}
