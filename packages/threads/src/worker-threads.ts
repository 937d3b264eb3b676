// A few worker threads that do the same kinds of work. A request goes to the first free thread; another one is started
// only after a moment, since most work is done sooner than a thread has started. Pools order their requests before they
// arrive here; several pools may share one set of threads. The first thread is the one kept ready. Has a timer for
// waiting requests.
import { PooledWorker, type RunOutcome, type ThreadRequest, type WorkerOptions } from './pooled-worker.ts';

export interface ThreadsOptions extends WorkerOptions {
  /** The most threads; each starts when first needed. */
  readonly threads: number;
  /** Requests given to a thread at once: one, unless it mostly waits. */
  readonly perThread?: number;
}

interface Waiting<Request, Answer> {
  readonly given: ThreadRequest<Request>;
  readonly settle: (outcome: RunOutcome<Answer>) => void;
}

/** How long requests wait for a busy thread before another is started. */
const patienceMs = 25;

export class WorkerThreads<Request, Answer> {
  readonly #workers: PooledWorker<Request, Answer>[];
  readonly #perThread: number;
  readonly #waiting: Waiting<Request, Answer>[] = [];
  #impatience: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ThreadsOptions) {
    this.#perThread = options.perThread ?? 1;
    const events = {
      onFree: () => {
        this.#serve();
      },
      // Fails one request each time, so that a thread that never starts does not hold them for ever.
      onStillborn: (outcome: RunOutcome<Answer>) => {
        this.#waiting.shift()?.settle(outcome);
        this.#startForWaiting();
      },
    };
    const length = Math.max(1, options.threads);
    this.#workers = Array.from({ length }, () => new PooledWorker(options, events));
  }

  /** The most requests in progress. */
  get capacity(): number {
    return this.#workers.length * this.#perThread;
  }

  /** Runs one request; never rejects. */
  run(given: ThreadRequest<Request>): Promise<RunOutcome<Answer>> {
    if (this.#isClosed) return Promise.resolve(closed);
    return new Promise((settle) => {
      this.#waiting.push({ given, settle });
      this.#serve();
    });
  }

  /** Keeps one thread ready, for at least `keepMs`, so that the next request need not wait for its start. */
  warm(keepMs?: number): void {
    if (!this.#isClosed) this.#workers[0]?.warm(keepMs);
  }

  /** Ends all threads. Running requests fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#impatience);
    for (const { settle } of this.#waiting.splice(0)) settle(closed);
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#findFree();
      const next = worker && this.#waiting.shift();
      if (next === undefined) break;
      void worker?.run(next.given).then(next.settle);
    }
    if (this.#waiting.length === 0) {
      clearTimeout(this.#impatience);
      this.#impatience = undefined;
    } else if (this.#workers.some(({ isReady }) => isReady)) {
      this.#impatience ??= setTimeout(() => {
        this.#impatience = undefined;
        this.#startForWaiting();
      }, patienceMs);
    } else {
      this.#startForWaiting();
    }
  }

  /** Returns the first of the least busy threads, so that unneeded ones become idle. */
  #findFree(): PooledWorker<Request, Answer> | undefined {
    let free: PooledWorker<Request, Answer> | undefined;
    for (const worker of this.#workers) {
      if (!worker.isReady || worker.load >= this.#perThread) continue;
      if (free === undefined || worker.load < free.load) free = worker;
    }
    return free;
  }

  #startForWaiting(): void {
    if (this.#isClosed) return;
    let toCome = this.#waiting.length;
    for (const worker of this.#workers) {
      if (toCome <= 0) return;
      if (worker.isReady) continue;
      if (worker.isStarted) worker.hold();
      else worker.start();
      toCome -= this.#perThread;
    }
  }
}

const closed = { kind: 'failed', cause: 'crashed', detail: 'the pool was closed' } as const;
