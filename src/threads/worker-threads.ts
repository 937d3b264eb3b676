// A few worker threads that all do the same kinds of work. A request goes to whichever thread is free first; another is
// started when none has been for a moment, since most work is done sooner than a thread has started. Pools put their
// requests in order before they come here; several may share one set of threads. The first is the one that is kept
// ready. It owns a timer for what waits.
import { PooledWorker, type RunOutcome, type ThreadRequest, type WorkerOptions } from './pooled-worker.ts';

export interface ThreadsOptions extends WorkerOptions {
  /** Threads at most; each starts when it is first needed. */
  readonly threads: number;
  /** Requests that a thread is given at once: one, unless it mostly waits. */
  readonly perThread?: number;
}

interface Waiting<Request, Answer> {
  readonly given: ThreadRequest<Request>;
  readonly settle: (outcome: RunOutcome<Answer>) => void;
}

/** How long requests wait for a thread that works before another is started. */
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
      // One request goes with each: what never starts must not keep them for ever.
      onStillborn: (outcome: RunOutcome<Answer>) => {
        this.#waiting.shift()?.settle(outcome);
        this.#startForWaiting();
      },
    };
    const length = Math.max(1, options.threads);
    this.#workers = Array.from({ length }, () => new PooledWorker(options, events));
  }

  /** Requests that can be under way at once. */
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

  /** Has one thread ready, or ready for longer, at least `keepMs`: the next request need not wait for its start. */
  warm(keepMs?: number): void {
    if (!this.#isClosed) this.#workers[0]?.warm(keepMs);
  }

  /** Ends all threads. What runs fails. */
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

  /** The first of those that do least: threads that are not needed come to rest. */
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
