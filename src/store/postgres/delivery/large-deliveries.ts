// Deliveries too large to be gathered: their chunks go to the database one by one, in a separate transaction that locks
// the sessions' counters only at its end. Only one chunk is held in memory, and no other delivery waits for a lock
// meanwhile.

import { createSemaphore } from '#networks/semaphore';
import type { Connections, Run } from '#postgres/connections';
import { faultKindOf } from '#postgres/fault-kind';
import type { SessionKey } from '../../../domain/session.ts';
import type { Delivery, DeliveryOutcome } from '../../mail-store.ts';
import { unavailable } from '../database/callers-error.ts';
import {
  atMost,
  type DeliveryCopy,
  type DeliverySettings,
  numberChunks,
  readWithheld,
  type OutcomeRow,
  toDeliverValues,
  toLargeCopy,
  toOutcome,
} from './delivery-batch.ts';
import { deliver, dropChunks, findFull, findIngest, insertChunk, lockSession } from '../statements.ts';

export interface LargeDeliveriesOptions extends DeliverySettings {
  readonly connections: Connections;
  readonly settle: (longestMs: number) => Promise<boolean>;
  readonly bucketOf: (key: SessionKey) => Promise<number | undefined>;
}

const atOnce = 3;
/** Waiting deliveries; each holds a sender and a spill file. */
const waitingMax = 200;
const settleMs = 4000;
const attemptsMax = 3;

export class LargeDeliveries {
  readonly #options: LargeDeliveriesOptions;
  readonly #places = createSemaphore(atOnce);

  constructor(options: LargeDeliveriesOptions) {
    this.#options = options;
  }

  async deliver(deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]> {
    if (this.#places.waiting >= waitingMax) {
      throw unavailable(new Error('Too many large messages are waiting.'));
    }
    return this.#places.run(async () => {
      const copies = await Promise.all(
        deliveries.map(async (delivery) => toLargeCopy(delivery, await this.#options.bucketOf(delivery.key))),
      );
      return this.#store(copies);
    });
  }

  async #store(copies: readonly DeliveryCopy[]): Promise<DeliveryOutcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryOnce(copies);
      } catch (error) {
        const withheld = readWithheld(error);
        if (withheld) return withheld;
        const kind = faultKindOf(error);
        if (kind === 'other' || kind === 'busy') throw error;
        if (!(await this.#options.settle(settleMs))) throw unavailable(error);
        // The response to the commit may have been lost.
        const committed = await this.#findCommitted(copies);
        if (committed) return committed;
        if (attempt === attemptsMax) throw unavailable(error);
      }
    }
  }

  #tryOnce(copies: readonly DeliveryCopy[]): Promise<DeliveryOutcome[]> {
    return this.#options.connections.transaction(async (run) => {
      const full = new Set<DeliveryCopy>();
      for (const copy of copies) if (await this.#isFull(run, copy)) full.add(copy);
      if (full.size > 0) return copies.map((copy) => ({ outcome: full.has(copy) ? 'full' : 'withheld' }));
      for (const copy of copies) await insertChunks(run, copy);
      const rows = await run<OutcomeRow>(deliver, toDeliverValues(this.#options, [copies], false));
      for (const [at, { bucket, delivery, ingestId }] of copies.entries()) {
        if (rows[at]?.o_outcome !== 'stored' && bucket !== undefined) {
          await run(dropChunks, [bucket, delivery.key, ingestId]);
        }
      }
      return rows.map(toOutcome);
    });
  }

  /** Checked before anything is written. Concurrent deliveries may still fill the session; `deliver` checks again. */
  async #isFull(run: Run, { delivery }: DeliveryCopy): Promise<boolean> {
    // The message may be stored already, and that takes precedence.
    if (delivery.origin) return false;
    const { quota, now } = this.#options;
    const limits = [atMost(quota.messages), atMost(quota.bytes)];
    const rows = await run(findFull, [delivery.key, now(), ...limits]);
    return rows.length > 0;
  }

  /** Returns undefined when nothing was committed. For missing copies the session had ended or was full. */
  async #findCommitted(copies: readonly DeliveryCopy[]): Promise<DeliveryOutcome[] | undefined> {
    const outcomes: DeliveryOutcome[] = [];
    for (const { bucket, delivery, ingestId } of copies) {
      const row = bucket === undefined ? undefined : await this.#findIngest([bucket, delivery.key, ingestId]);
      outcomes.push(
        row ? { outcome: 'stored', id: row.seq, receivedAt: row.received_at } : { outcome: 'ended' },
      );
    }
    return outcomes.some(({ outcome }) => outcome === 'stored') ? outcomes : undefined;
  }

  /** Waits for a commit that is still in progress, which has the session's row locked. */
  #findIngest(
    place: readonly [bucket: number, key: SessionKey, ingestId: bigint],
  ): Promise<{ readonly seq: number; readonly received_at: number } | undefined> {
    return this.#options.connections.transaction(async (run) => {
      await run(lockSession, [place[1]]);
      const [row] = await run<{ seq: number; received_at: number }>(findIngest, place);
      return row;
    });
  }
}

async function insertChunks(run: Run, { bucket, delivery, ingestId }: DeliveryCopy): Promise<void> {
  if (bucket === undefined) return;
  for (const [number, data] of numberChunks(delivery.raw)) {
    await run(insertChunk, [bucket, delivery.key, ingestId, number, data]);
  }
}
