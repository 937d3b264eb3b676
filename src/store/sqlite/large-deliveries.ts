// Deliveries of large messages, written in steps: a commit of 25 MB would hold the thread for a tenth of a second. Each
// step writes some chunks under an id that no message has yet, one message after the other; the last commit, which is
// the delivery, gives them to it. What is left by a failure on the way is garbage. Owned by SqliteMailStore.

import type { Delivery } from '../mail-store.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SessionRows } from './session-rows.ts';
import type { ChunkRows } from './chunk-rows.ts';

/** A delivery whose chunks after the first are in the store already. */
export interface StagedDelivery extends Delivery {
  readonly chunksId?: number;
}

export interface LargeDeliveriesOptions {
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly chunks: ChunkRows;
  readonly clock: () => number;
}

/** Up to this much is written in one go: some 5 ms. */
const stepMaxBytes = 1024 * 1024;

export class LargeDeliveries {
  readonly #options: LargeDeliveriesOptions;
  /** Steps of one message never meet those of another in a commit. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LargeDeliveriesOptions) {
    this.#options = options;
  }

  static isLarge(deliveries: readonly Delivery[]): boolean {
    return deliveries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > stepMaxBytes;
  }

  /** `deliver` makes the messages in one commit, and tells which of them it stored. */
  async run<Outcome extends { readonly outcome: string }>(
    deliveries: readonly Delivery[],
    deliver: (staged: readonly StagedDelivery[]) => Promise<Outcome[]>,
  ): Promise<Outcome[]> {
    const mine = this.#last.then(() => this.#stageAll(deliveries));
    this.#last = Promise.allSettled([mine]);
    const staged = await mine;
    let outcomes: Outcome[] = [];
    try {
      outcomes = await deliver(staged);
      return outcomes;
    } finally {
      await this.#abandon(staged.filter((_, at) => outcomes[at]?.outcome !== 'stored'));
    }
  }

  async #stageAll(deliveries: readonly Delivery[]): Promise<StagedDelivery[]> {
    const staged: StagedDelivery[] = [];
    try {
      for (const delivery of deliveries) await this.#stage(delivery, staged);
      return staged;
    } catch (error) {
      await this.#abandon(staged);
      throw error;
    }
  }

  /** Puts what it stages into `staged` at once, so that a failure later on abandons it. */
  async #stage(delivery: Delivery, staged: StagedDelivery[]): Promise<void> {
    const at = staged.push(delivery) - 1;
    let first: Uint8Array | undefined;
    let number = 1;
    let chunksId: number | undefined;
    const write = async (chunks: readonly Uint8Array[]): Promise<boolean> => {
      const id = await this.#write(delivery, { chunksId, number, chunks });
      number += chunks.length;
      chunksId = id ?? chunksId;
      const { key, sizeBytes, meta, origin } = delivery;
      if (chunksId !== undefined) {
        staged[at] = { key, sizeBytes, meta, origin, chunksId, raw: first ? [first] : [] };
      }
      return id !== undefined;
    };
    let step: Uint8Array[] = [];
    let stepBytes = 0;
    for (const chunk of delivery.raw) {
      if (!first) {
        first = chunk;
        continue;
      }
      if (stepBytes > 0 && stepBytes + chunk.length > stepMaxBytes) {
        // The session has ended: the last commit will say so.
        if (!(await write(step))) return;
        step = [];
        stepBytes = 0;
      }
      step.push(chunk);
      stepBytes += chunk.length;
    }
    if (step.length > 0) await write(step);
  }

  /** Undefined when the session has ended, which needs no more of its chunks. */
  #write(
    { key }: Delivery,
    step: { chunksId: number | undefined; number: number; chunks: readonly Uint8Array[] },
  ): Promise<number | undefined> {
    const { commits, sessions, chunks, clock } = this.#options;
    return commits.write(() => {
      const session = sessions.takeLive(key, clock());
      if (!session) return undefined;
      const chunksId = step.chunksId ?? chunks.begin(session.id);
      step.chunks.forEach((chunk, at) => {
        chunks.add(chunksId, step.number + at, chunk);
      });
      return chunksId;
    });
  }

  /** Must not hide what went wrong before: what cannot be marked now is found at the next start. */
  async #abandon(staged: readonly StagedDelivery[]): Promise<void> {
    const ids = staged.flatMap(({ chunksId }) => chunksId ?? []);
    if (ids.length === 0) return;
    const marked = this.#options.commits.write(() => {
      for (const id of ids) this.#options.chunks.abandon(id);
    });
    await Promise.allSettled([marked]);
  }
}
