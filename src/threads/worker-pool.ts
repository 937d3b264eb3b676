// One fair lane to worker threads: how parser, sanitiser and authentication of mail are asked. A request is given to a
// thread only when it is its turn, so what waits behind a killed thread is never lost.
import { FairLane } from './fair-lane.ts';
import type { TurnOwner } from './fair-queue.ts';
import type { RunOutcome } from './pooled-worker.ts';
import type { WorkerThreads } from './worker-threads.ts';

export interface PoolOptions<Request, Answer> {
  /** Others may use them too: then there is one more for each request of theirs. */
  threads: WorkerThreads<Request, Answer>;
  /** Processor time of a thread for one request. */
  timeBudgetMs: number;
  /** Requests under way at once; as many as the threads take when absent. */
  atOnce?: number;
  /** Requests that may wait for a thread. */
  maxQueued: number;
  /** A request that no thread could begin within this is refused; never when absent. */
  maxWaitMs?: number;
  /** Requests of one session under way at once; one when absent. */
  perSession?: number;
  /** Likewise of one network; all but one when absent, so that it never holds all threads. */
  perNetwork?: number;
}

export interface PooledRequest<Request> {
  readonly owner: TurnOwner;
  readonly request: Request;
  /** Buffers in it that are the worker's from then on. */
  readonly transfer?: readonly ArrayBuffer[];
}

export class WorkerPool<Request, Answer> {
  readonly #options: PoolOptions<Request, Answer>;
  readonly #lane: FairLane;

  constructor(options: PoolOptions<Request, Answer>) {
    const { threads, maxQueued, maxWaitMs, atOnce = threads.capacity } = options;
    this.#options = options;
    this.#lane = new FairLane({
      atOnce,
      perSession: options.perSession ?? 1,
      perNetwork: options.perNetwork ?? Math.max(1, atOnce - 1),
      maxWaiting: maxQueued,
      ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
    });
  }

  /**
   * Runs one request in turn.
   * @throws unavailable when too many requests wait, it would wait too long, or the pool is closed
   */
  run({ owner, request, transfer = [] }: PooledRequest<Request>): Promise<RunOutcome<Answer>> {
    const { threads, timeBudgetMs } = this.#options;
    return this.#lane.run(owner, () => threads.run({ request, transfer, timeBudgetMs }));
  }

  /** Refuses what waits; what runs ends with the threads. */
  close(): void {
    this.#lane.close();
  }
}
