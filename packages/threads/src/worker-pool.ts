// One fair lane to worker threads. A request reaches a thread only in its turn, so that requests waiting behind a killed
// thread are never lost.
import type { RunOutcome } from './pooled-worker.ts';
import type { WorkerThreads } from './worker-threads.ts';
import type { TurnOwner } from '../../networks/src/fair-queue.ts';
import { FairLane, type Refuse } from '../../networks/src/fair-lane.ts';

export interface PoolOptions<Request, Answer> {
  /** When others use them too, there is one more for each request of theirs. */
  threads: WorkerThreads<Request, Answer>;
  refuse: Refuse;
  /** Processor time of a thread per request. */
  timeBudgetMs: number;
  /** The most requests in progress; as many as the threads accept when absent. */
  atOnce?: number;
  /** The most requests that may wait for a thread. */
  queuedMax: number;
  /** A request that has not started within this is refused; never when absent. */
  waitMaxMs?: number;
  /** The most in progress for one session; one when absent. */
  perSession?: number;
  /** The most in progress for one network or site; all but one when absent, so that it never holds all threads. */
  perNetwork?: number;
}

export interface PooledRequest<Request> {
  readonly owner: TurnOwner;
  readonly request: Request;
  /** Buffers transferred to the worker. */
  readonly transfer?: readonly ArrayBuffer[];
}

export class WorkerPool<Request, Answer> {
  readonly #options: PoolOptions<Request, Answer>;
  readonly #lane: FairLane;

  constructor(options: PoolOptions<Request, Answer>) {
    const { threads, refuse, queuedMax, waitMaxMs, atOnce = threads.capacity } = options;
    const perNetwork = options.perNetwork ?? Math.max(1, atOnce - 1);
    this.#options = options;
    this.#lane = new FairLane({
      atOnce,
      refuse,
      perSession: options.perSession ?? 1,
      perNetwork,
      perSite: perNetwork,
      waitingMax: queuedMax,
      ...(waitMaxMs === undefined ? {} : { waitMaxMs }),
    });
  }

  /**
   * Runs one request in turn.
   * @throws what `refuse` returns when too many requests wait, it would wait too long, or the pool is closed
   */
  run({ owner, request, transfer = [] }: PooledRequest<Request>): Promise<RunOutcome<Answer>> {
    const { threads, timeBudgetMs } = this.#options;
    return this.#lane.run(owner, () => threads.run({ request, transfer, timeBudgetMs }));
  }

  /** Rejects waiting requests; running ones end with the threads. */
  close(): void {
    this.#lane.close();
  }
}
