// A few worker threads behind one fair lane: what parser, sanitiser and authentication of mail run in. A request is
// given to a thread only when it is its turn, so what waits behind a killed thread is never lost.
import { FairLane } from './fair-lane.ts';
import type { TurnOwner } from './fair-queue.ts';
import { PooledWorker, type RunOutcome, type WorkerOptions } from './pooled-worker.ts';

export interface PoolOptions extends WorkerOptions {
  /** Threads at most; each starts when it is first needed. */
  workers: number;
  /** Requests that a thread is given at once: one, unless it mostly waits. */
  perWorker?: number;
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
  readonly #workers: PooledWorker<Request, Answer>[];
  readonly #lane: FairLane;
  #isClosed = false;

  constructor(options: PoolOptions) {
    const { perWorker = 1, maxQueued, maxWaitMs, perSession = 1 } = options;
    this.#workers = Array.from({ length: Math.max(1, options.workers) }, () => new PooledWorker(options));
    const atOnce = this.#workers.length * perWorker;
    this.#lane = new FairLane({
      atOnce,
      perSession,
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
    // Once it is closed the lane lets nothing in but what had its turn at that very moment.
    const closed = { kind: 'failed', cause: 'crashed', detail: 'the pool was closed' } as const;
    return this.#lane.run(owner, () =>
      this.#isClosed ? Promise.resolve(closed) : this.#findWorker().run(request, transfer),
    );
  }

  /** Has one thread ready, or ready for longer, at least `keepMs`: the next request need not wait for its start. */
  warm(keepMs?: number): void {
    if (!this.#isClosed) this.#workers[0]?.warm(keepMs);
  }

  /** Ends all threads. What runs fails, what waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#lane.close();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  /** The first of those that do least: threads that are not needed come to rest. */
  #findWorker(): PooledWorker<Request, Answer> {
    const [first, ...others] = this.#workers;
    if (first === undefined) throw new Error('a pool has a thread');
    return others.reduce((best, worker) => (worker.load < best.load ? worker : best), first);
  }
}
