// One worker thread, started on need, given requests once it is ready, ended when one of them is slow, or the thread
// dead or idle. Used by worker-threads alone. It owns timers: one for its start, one for the budget of each running
// request, and the idle one (unref'd); all end with the thread.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { openThreadClock, type ThreadClock } from './thread-clock.ts';
import type { WorkerReport } from './worker-protocol.ts';

export interface WorkerOptions {
  workerUrl: URL;
  /** An idle thread ends after this; it never keeps the process alive. */
  idleMs: number;
  resourceLimits: ResourceLimits;
  /** Given to the thread when it starts. */
  workerData?: unknown;
  /** What the thread prints is thrown away: standard output is the operator's. */
  isSilent?: boolean;
}

export interface ThreadRequest<Request> {
  readonly request: Request;
  /** Buffers in it that are the worker's from then on. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Processor time of the thread for it. */
  readonly timeBudgetMs: number;
}

/** `slow` says nothing of the request for ever: on another day it may be answered. */
export type RunOutcome<Answer> =
  { kind: 'answer'; answer: Answer } | { kind: 'failed'; cause: 'slow' | 'crashed'; detail: string };

interface Running<Answer> {
  readonly settle: (outcome: RunOutcome<Answer>) => void;
  readonly budgetMs: number;
  /** Of the clock and of the thread's processor time, ms. */
  readonly startedAt: number;
  readonly startedCpuMs: number;
  timer: NodeJS.Timeout | undefined;
}

export interface WorkerEvents<Answer> {
  /** It may be given another request. */
  readonly onFree: () => void;
  /** It ended before it was ready. */
  readonly onStillborn: (outcome: RunOutcome<Answer>) => void;
}

/** Loading the worker's code is our time, not the sender's. */
const startBudgetMs = 15_000;
/** A thread that gets less of a processor than this share, or waits for something itself, is given up all the same. */
const clockFactor = 15;
/** A budget is looked at no more often. */
const shortestLookMs = 10;
const keptMarginMs = 1000;
/** What setTimeout takes. */
const timerMaxMs = 2 ** 31 - 1;

export class PooledWorker<Request, Answer> {
  readonly #options: WorkerOptions;
  readonly #events: WorkerEvents<Answer>;
  readonly #running = new Map<number, Running<Answer>>();
  #worker: Worker | undefined;
  #clock: ThreadClock = openThreadClock(undefined);
  #isReady = false;
  #lastId = 0;
  #startTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Of performance.now(). */
  #keptUntil = 0;
  #ending: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerOptions, events: WorkerEvents<Answer>) {
    this.#options = options;
    this.#events = events;
  }

  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Requests under way. */
  get load(): number {
    return this.#running.size;
  }

  /** Starts the thread, or keeps an idle one for its whole time again; for `keepMs` if that is longer. Cheap. */
  warm(keepMs = 0): void {
    const until = performance.now() + keepMs;
    // Asked for each recipient: a timer is not set again for what is nearly as long.
    if (keepMs > 0 && this.isStarted && until < this.#keptUntil + keptMarginMs) return;
    this.#keptUntil = Math.max(this.#keptUntil, until);
    if (!this.isStarted) {
      this.start();
      // A process that ends waits for none that is not needed.
      this.#worker?.unref();
    } else if (this.#isReady && this.load === 0) {
      this.#rest();
    }
  }

  /** A request waits for it. Not before it has ended. */
  start(): void {
    const { workerUrl, resourceLimits, workerData, isSilent = false } = this.#options;
    const worker = new Worker(workerUrl, {
      resourceLimits,
      workerData,
      // Nothing in a worker has business with them, and mail is parsed there.
      env: {},
      argv: [],
      execArgv: [],
      stdout: isSilent,
      stderr: isSilent,
    });
    if (isSilent) for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    this.#worker = worker;
    worker.on('message', (report: WorkerReport<Answer>) => this.#hear(worker, report));
    // Out of memory comes as an error too (ERR_WORKER_OUT_OF_MEMORY).
    worker.on('error', (error: unknown) =>
      this.#lose(worker, error instanceof Error ? error.message : String(error)),
    );
    worker.on('exit', (code) => this.#lose(worker, `exit code ${code}`));
    this.#startTimer = setTimeout(() => {
      this.#end({ kind: 'failed', cause: 'slow', detail: `took longer than ${startBudgetMs / 1000} s` });
    }, startBudgetMs).unref();
  }

  /** A request waits for its start: the process must not end meanwhile. */
  hold(): void {
    this.#worker?.ref();
  }

  /** Runs one request on a thread that is ready; never rejects. */
  run({ request, transfer = [], timeBudgetMs }: ThreadRequest<Request>): Promise<RunOutcome<Answer>> {
    clearTimeout(this.#idleTimer);
    const id = ++this.#lastId;
    this.#worker?.ref();
    this.#worker?.postMessage({ id, request }, transfer);
    return new Promise((settle) => {
      const running: Running<Answer> = {
        settle,
        budgetMs: timeBudgetMs,
        startedAt: performance.now(),
        startedCpuMs: this.#clock.readMs(),
        timer: undefined,
      };
      this.#running.set(id, running);
      this.#lookAfter(running, timeBudgetMs);
    });
  }

  /** Ends the thread; what runs fails as crashed. */
  async stop(): Promise<void> {
    this.#keptUntil = 0;
    this.#end({ kind: 'failed', cause: 'crashed', detail: 'the pool was closed' });
    await this.#ending;
  }

  #hear(worker: Worker, report: WorkerReport<Answer>): void {
    if (worker !== this.#worker) return;
    if (report.kind === 'ready') {
      clearTimeout(this.#startTimer);
      this.#isReady = true;
      this.#clock = openThreadClock(report.thread);
      this.#rest();
      this.#events.onFree();
    } else if (report.kind === 'answer') {
      this.#finish(report.id, { kind: 'answer', answer: report.answer });
    } else {
      this.#finish(report.id, { kind: 'failed', cause: 'crashed', detail: report.detail });
    }
  }

  #lose(worker: Worker, detail: string): void {
    if (worker === this.#worker) this.#end({ kind: 'failed', cause: 'crashed', detail });
  }

  /** The thread cannot have used its budget sooner than the clock says. */
  #lookAfter(running: Running<Answer>, waitMs: number): void {
    const { budgetMs } = running;
    running.timer = setTimeout(() => {
      const leftMs = budgetMs - (this.#clock.readMs() - running.startedCpuMs);
      if (leftMs > 0 && performance.now() - running.startedAt < clockFactor * budgetMs) {
        this.#lookAfter(running, Math.max(leftMs, shortestLookMs));
      } else {
        this.#end({ kind: 'failed', cause: 'slow', detail: `took longer than ${budgetMs / 1000} s` });
      }
    }, waitMs);
  }

  #finish(id: number, outcome: RunOutcome<Answer>): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    clearTimeout(running.timer);
    this.#running.delete(id);
    if (this.load === 0 && this.isStarted) this.#rest();
    running.settle(outcome);
    if (this.#isReady) this.#events.onFree();
  }

  #rest(): void {
    this.#worker?.unref();
    clearTimeout(this.#idleTimer);
    const keptMs = Math.min(this.#keptUntil - performance.now(), timerMaxMs);
    this.#idleTimer = setTimeout(() => this.#end(idle), Math.max(this.#options.idleMs, keptMs)).unref();
  }

  /** The next request starts another thread. */
  #end(outcome: RunOutcome<Answer>): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#startTimer);
    const worker = this.#worker;
    const wasReady = this.#isReady;
    this.#worker = undefined;
    this.#isReady = false;
    this.#clock.close();
    this.#clock = openThreadClock(undefined);
    if (worker === undefined) return;
    this.#ending = Promise.all([this.#ending, worker.terminate()]);
    for (const id of [...this.#running.keys()]) this.#finish(id, outcome);
    // One that never came to be ready would not the next time either.
    if (!wasReady) this.#events.onStillborn(outcome);
    else if (outcome !== idle && performance.now() < this.#keptUntil) this.warm();
    this.#events.onFree();
  }
}

const idle = { kind: 'failed', cause: 'crashed', detail: 'the thread was idle' } as const;
