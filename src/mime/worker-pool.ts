// A few worker threads behind one bounded queue. Used by message-parser.
// A request is given to a thread only when it is its turn, so what waits behind a killed thread is never lost.
import { MayflyError } from '../domain/mayfly-error.ts';
import { PooledWorker, type RunOutcome, type WorkerOptions } from './pooled-worker.ts';

export interface PoolOptions extends WorkerOptions {
  /** Threads at most; each starts when it is first needed. */
  workers: number;
  /** Requests that may wait for a thread. */
  maxQueued: number;
}

interface Job<Request, Answer> {
  request: Request;
  transfer: ArrayBuffer[];
  resolve: (outcome: RunOutcome<Answer>) => void;
  reject: (error: Error) => void;
}

export class WorkerPool<Request, Answer> {
  readonly #workers: PooledWorker<Request, Answer>[];
  readonly #queue: Job<Request, Answer>[] = [];
  readonly #maxQueued: number;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#workers = Array.from({ length: Math.max(1, options.workers) }, () => new PooledWorker(options));
    this.#maxQueued = options.maxQueued;
  }

  /**
   * Runs one request on a thread of its own.
   * @throws unavailable when too many requests wait, or the pool is closed
   */
  async run(request: Request, transfer: ArrayBuffer[]): Promise<RunOutcome<Answer>> {
    if (this.#isClosed) throw new MayflyError('unavailable', 'The service is shutting down.');
    if (this.#queue.length >= this.#maxQueued) {
      throw new MayflyError('unavailable', 'Too many messages are being read at once.', {
        retryAfterSeconds: 2,
      });
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, transfer, resolve, reject });
      this.#next();
    });
  }

  /** Has one thread ready, or ready for longer: the next request need not wait for its start. */
  warm(): void {
    if (!this.#isClosed) this.#workers[0]?.warm();
  }

  /** Ends all threads. What runs fails, what waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#queue.splice(0)) {
      job.reject(new MayflyError('unavailable', 'The service is shutting down.'));
    }
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  #next(): void {
    const worker = this.#workers.find(({ isBusy }) => !isBusy);
    if (worker === undefined) return;
    const job = this.#queue.shift();
    if (job === undefined) return;
    worker
      .run(job.request, job.transfer)
      .then(job.resolve, job.reject)
      .finally(() => this.#next());
  }
}
