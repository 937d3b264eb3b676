// Deliveries of large messages, written in steps: a commit of 25 MB would hold the thread for a tenth of a second. Each
// step writes some chunks under an id that no message has yet, one message after the other; the last commit, which is
// the delivery, gives them to it. What is left by a failure on the way is garbage, and nothing is written for a session
// that is full already. Owned by SqliteMailStore.

import type Database from 'better-sqlite3';

import type { Delivery, DeliveryOutcome, SessionQuota } from '../mail-store.ts';
import type { GroupCommit } from './group-commit.ts';
import type { DeliveryRow } from './message-rows.ts';
import { OriginRows } from './origin-rows.ts';
import type { SessionRows } from './session-rows.ts';
import type { ChunkRows } from './chunk-rows.ts';

export interface LargeDeliveriesOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly chunks: ChunkRows;
  readonly quota: SessionQuota;
  readonly clock: () => number;
}

type NotStored = Exclude<DeliveryOutcome['outcome'], 'stored'>;

/** Up to this much is written in one go: some 5 ms. */
const stepMaxBytes = 1024 * 1024;

export class LargeDeliveries {
  readonly #options: LargeDeliveriesOptions;
  readonly #origins: OriginRows;
  /** Steps of one message never meet those of another in a commit. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LargeDeliveriesOptions) {
    this.#options = options;
    this.#origins = new OriginRows(options.database);
  }

  static isLarge(deliveries: readonly Delivery[]): boolean {
    return deliveries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > stepMaxBytes;
  }

  /** `deliver` makes the messages in one commit, and tells which of them it stored. */
  async run(
    deliveries: readonly Delivery[],
    deliver: (staged: readonly DeliveryRow[]) => Promise<DeliveryOutcome[]>,
  ): Promise<DeliveryOutcome[]> {
    const refused = new Map<number, DeliveryOutcome>();
    const mine = this.#last.then(() => this.#stageAll(deliveries, refused));
    this.#last = Promise.allSettled([mine]);
    const staged = await mine;
    const left = staged.filter((_, at) => !refused.has(at));
    let outcomes: DeliveryOutcome[] = [];
    try {
      if (left.length > 0) outcomes = await deliver(left);
    } finally {
      const isStored = new Set(left.filter((_, at) => outcomes[at]?.outcome === 'stored'));
      await this.#abandon(staged.filter((one) => !isStored.has(one)));
    }
    const next = outcomes.values();
    return deliveries.map((_, at) => refused.get(at) ?? (next.next().value as DeliveryOutcome));
  }

  /** Of what is refused on the way, `refused` gets the outcome by its place. */
  async #stageAll(
    deliveries: readonly Delivery[],
    refused: Map<number, DeliveryOutcome>,
  ): Promise<DeliveryRow[]> {
    const staged: DeliveryRow[] = [];
    try {
      for (const [at, delivery] of deliveries.entries()) {
        const refusal = await this.#stage(delivery, staged);
        if (refusal) refused.set(at, { outcome: refusal });
      }
      return staged;
    } catch (error) {
      await this.#abandon(staged);
      throw error;
    }
  }

  /**
   * Puts what it stages into `staged` at once, so that a failure later on abandons it. Returns why no more of it was to be
   * staged: what there is of it is abandoned then, whether there is room in the end or not.
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
    for (const chunk of delivery.raw) {
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

  /** The id of the chunks, or why they were not written. */
  #write(
    { key, sizeBytes, origin }: Delivery,
    step: { chunksId: number | undefined; number: number; chunks: readonly Uint8Array[] },
  ): Promise<number | NotStored> {
    const { commits, sessions, chunks, quota, clock } = this.#options;
    return commits.write(() => {
      const session = sessions.takeLive(key, clock());
      if (!session) return 'ended';
      if (origin && this.#origins.has(session.id, origin)) return 'duplicate';
      // What comes beside it may fill the session still: the last commit sees.
      const hasRoom =
        (session.message_count < quota.messages && session.message_bytes + sizeBytes <= quota.bytes) ||
        (session.drops_oldest === 1 && sizeBytes <= quota.bytes);
      if (!hasRoom) return 'full';
      const chunksId = step.chunksId ?? chunks.begin(session.id);
      step.chunks.forEach((chunk, at) => {
        chunks.add(chunksId, step.number + at, chunk);
      });
      return chunksId;
    });
  }

  /** Must not hide what went wrong before: what cannot be marked now is found at the next start. */
  async #abandon(staged: readonly DeliveryRow[]): Promise<void> {
    const ids = staged.flatMap(({ chunksId }) => chunksId ?? []);
    if (ids.length === 0) return;
    const marked = this.#options.commits.write(() => {
      for (const id of ids) this.#options.chunks.abandon(id);
    });
    await Promise.allSettled([marked]);
  }
}
