// Writes large messages in steps, because a commit of 25 MB would block the thread for a tenth of a second. Each step
// writes some chunks under a staging id, one message after the other; the last commit, the actual delivery, assigns
// them to the message. A failure in between leaves garbage, and nothing is staged for a session that is already full.
// Owned by SqliteMailStore.

import type { Database } from '#group-commit/driver';
import type { GroupCommit } from '#group-commit/group-commit';
import { rawChunkBytes, sealedChunkMaxBytes } from '../../domain/limits.ts';
import type { Delivery, DeliveryOutcome, SessionQuota } from '../mail-store.ts';
import type { DeliveryRow } from './rows/message-rows.ts';
import { OriginRows } from './rows/origin-rows.ts';
import type { SessionRows } from './rows/session-rows.ts';
import type { ChunkRows } from './rows/chunk-rows.ts';

export interface LargeDeliveriesOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly chunks: ChunkRows;
  readonly quota: SessionQuota;
  readonly clock: () => number;
}

type NotStored = Exclude<DeliveryOutcome['outcome'], 'stored'>;

/** The most bytes written in one step, which takes about 5 ms. */
const stepMaxBytes = 1024 * 1024;

/** Slabs for one message: the first for its first chunk, which is kept, the others in turn. */
function createSlabs(): () => Buffer {
  // Those of a step, and one for the chunk that begins the next.
  const others = Math.ceil(stepMaxBytes / rawChunkBytes) + 1;
  const slabs: Buffer[] = [];
  let next = 0;
  return () => {
    const at = next;
    next = (next % others) + 1;
    return (slabs[at] ??= Buffer.allocUnsafeSlow(sealedChunkMaxBytes));
  };
}

export class LargeDeliveries {
  readonly #options: LargeDeliveriesOptions;
  readonly #origins: OriginRows;
  /** Keeps steps of different messages out of the same commit. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LargeDeliveriesOptions) {
    this.#options = options;
    this.#origins = new OriginRows(options.database);
  }

  static isLarge(deliveries: readonly Delivery[]): boolean {
    return deliveries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > stepMaxBytes;
  }

  /** `deliver` stores the messages in one commit and returns which it stored. */
  async run(
    deliveries: readonly Delivery[],
    deliver: (staged: readonly DeliveryRow[]) => Promise<DeliveryOutcome[]>,
  ): Promise<DeliveryOutcome[]> {
    const refused = new Map<number, DeliveryOutcome>();
    const mine = this.#last.then(() => this.#stageAll(deliveries, refused));
    this.#last = Promise.allSettled([mine]);
    const staged = await mine;
    const left = staged.filter((_, at) => !refused.has(at));
    const isFull = [...refused.values()].some(({ outcome }) => outcome === 'full');
    let outcomes: DeliveryOutcome[] = [];
    try {
      if (!isFull && left.length > 0) outcomes = await deliver(left);
    } finally {
      const isStored = new Set(left.filter((_, at) => outcomes[at]?.outcome === 'stored'));
      await this.#abandon(staged.filter((one) => !isStored.has(one)));
    }
    const next = outcomes.values();
    return deliveries.map((_, at): DeliveryOutcome => {
      return refused.get(at) ?? next.next().value ?? { outcome: 'withheld' };
    });
  }

  /** `refused` receives the outcomes of messages refused on the way, by position. */
  async #stageAll(
    deliveries: readonly Delivery[],
    refused: Map<number, DeliveryOutcome>,
  ): Promise<DeliveryRow[]> {
    const staged: DeliveryRow[] = [];
    try {
      for (const [at, delivery] of deliveries.entries()) {
        const refusal = await this.#stage(delivery, staged);
        if (refusal) refused.set(at, { outcome: refusal });
        if (refusal === 'full') break;
      }
      return staged;
    } catch (error) {
      await this.#abandon(staged);
      throw error;
    }
  }

  /**
   * Adds to `staged` immediately, so that a later failure abandons it. Returns why staging stopped; in that case the
   * chunks staged so far are abandoned, even if there is room later.
   */
  async #stage(delivery: Delivery, staged: DeliveryRow[]): Promise<NotStored | undefined> {
    const at = staged.push(delivery) - 1;
    let first: Uint8Array | undefined;
    let number = 1;
    let chunksId: number | undefined;
    const write = async (chunks: readonly Uint8Array[]): Promise<NotStored | undefined> => {
      const written = await this.#write(delivery, { chunksId, number, chunks });
      if (typeof written === 'string') return written;
      chunksId = written;
      number += chunks.length;
      const { key, sizeBytes, meta, origin } = delivery;
      staged[at] = { key, sizeBytes, meta, origin, chunksId, raw: first ? [first] : [] };
      return undefined;
    };
    let step: Uint8Array[] = [];
    let stepBytes = 0;
    const nextSlab = createSlabs();
    for (const chunk of delivery.raw.into?.(nextSlab) ?? delivery.raw) {
      if (!first) {
        first = chunk;
        continue;
      }
      if (stepBytes > 0 && stepBytes + chunk.length > stepMaxBytes) {
        const refusal = await write(step);
        if (refusal) return refusal;
        step = [];
        stepBytes = 0;
      }
      step.push(chunk);
      stepBytes += chunk.length;
    }
    return step.length > 0 ? write(step) : undefined;
  }

  /** Returns the id of the chunks, or why they were not written. */
  #write(
    { key, origin }: Delivery,
    step: { chunksId: number | undefined; number: number; chunks: readonly Uint8Array[] },
  ): Promise<number | NotStored> {
    const { commits, sessions, chunks, quota, clock } = this.#options;
    return commits.write(() => {
      const session = sessions.takeLive(key, clock());
      if (!session) return 'ended';
      if (origin && this.#origins.has(session.id, origin)) return 'duplicate';
      // Other deliveries may still fill the session; the last commit checks.
      const isBelow = session.message_count < quota.messages && session.message_bytes < quota.bytes;
      if (!isBelow && session.drops_oldest === 0) return 'full';
      const chunksId = step.chunksId ?? chunks.begin(session.id);
      step.chunks.forEach((chunk, at) => {
        chunks.add(chunksId, step.number + at, chunk);
      });
      return chunksId;
    });
  }

  /**
   * Does not fail, so as not to hide the original error; chunks that cannot be marked now are found at the next start.
   */
  async #abandon(staged: readonly DeliveryRow[]): Promise<void> {
    const ids = staged.flatMap(({ chunksId }) => chunksId ?? []);
    if (ids.length === 0) return;
    const marked = this.#options.commits.write(() => {
      for (const id of ids) this.#options.chunks.abandon(id);
    });
    await Promise.allSettled([marked]);
  }
}
