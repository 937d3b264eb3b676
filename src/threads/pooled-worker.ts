// One worker thread of a pool, started on need, given as many requests at once as it takes, ended when one of them is
// slow, or the thread dead or idle. Used by worker-pool alone. It owns timers: one for the budget of each running
// request, and the idle one (unref'd); all end with the thread.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { openThreadClock, type ThreadClock } from './thread-clock.ts';
import type { WorkerReport } from './worker-protocol.ts';

export interface WorkerOptions {
  workerUrl: URL;
  /** Processor time of the thread for one request, from when the worker is ready for it. */
  timeBudgetMs: number;
  /** An idle thread ends after this; it never keeps the process alive. */
  idleMs: number;
  resourceLimits: ResourceLimits;
  /** Given to the thread when it starts. */
  workerData?: unknown;
  /** What the thread prints is thrown away: standard output is the operator's. */
  isSilent?: boolean;
}

/** `slow` says nothing of the request for ever: on another day it may be answered. */
export type RunOutcome<Answer> =
  { kind: 'answer'; answer: Answer } | { kind: 'failed'; cause: 'slow' | 'crashed'; detail: string };

interface Running<Answer> {
  readonly settle: (outcome: RunOutcome<Answer>) => void;
  /** Of the clock and of the thread's processor time, ms. */
  startedAt: number;
  startedCpuMs: number;
  timer: NodeJS.Timeout | undefined;
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
  readonly #running = new Map<number, Running<Answer>>();
  #worker: Worker | undefined;
  #clock: ThreadClock = openThreadClock(undefined);
  #isReady = false;
  #lastId = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Of performance.now(). */
  #keptUntil = 0;
  #ending: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Requests under way. */
  get load(): number {
    return this.#running.size;
  }

  /** Starts the thread, or keeps an idle one for its whole time again; for `keepMs` if that is longer. Cheap. */
  warm(keepMs = 0): void {
    const until = performance.now() + keepMs;
    // Asked for each recipient: a timer is not set again for what is nearly as long.
    if (keepMs > 0 && this.#worker !== undefined && until < this.#keptUntil + keptMarginMs) return;
    this.#keptUntil = Math.max(this.#keptUntil, until);
    if (this.load > 0) return;
    this.#worker ??= this.#start();
    this.#rest(this.#worker);
  }

  /** Runs one request; never rejects. The buffers in `transfer` are the worker's from then on. */
  run(request: Request, transfer: readonly ArrayBuffer[]): Promise<RunOutcome<Answer>> {
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    worker.ref();
    worker.postMessage({ id, request }, transfer);
    return new Promise((settle) => {
      const running: Running<Answer> = { settle, startedAt: 0, startedCpuMs: 0, timer: undefined };
      this.#running.set(id, running);
      this.#limit(running);
    });
  }

  /** Ends the thread; what runs fails as crashed. */
  async stop(): Promise<void> {
    this.#keptUntil = 0;
    this.#end({ kind: 'failed', cause: 'crashed', detail: 'the pool was closed' });
    await this.#ending;
  }

  #start(): Worker {
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
    this.#isReady = false;
    worker.on('message', (report: WorkerReport<Answer>) => this.#hear(worker, report));
    // Out of memory comes as an error too (ERR_WORKER_OUT_OF_MEMORY).
    worker.on('error', (error: unknown) =>
      this.#lose(worker, error instanceof Error ? error.message : String(error)),
    );
    worker.on('exit', (code) => this.#lose(worker, `exit code ${code}`));
    return worker;
  }

  #hear(worker: Worker, report: WorkerReport<Answer>): void {
    if (worker !== this.#worker) return;
    if (report.kind === 'ready') {
      this.#isReady = true;
      this.#clock = openThreadClock(report.thread);
      for (const running of this.#running.values()) this.#limit(running);
    } else if (report.kind === 'answer') {
      this.#finish(report.id, { kind: 'answer', answer: report.answer });
    } else {
      this.#finish(report.id, { kind: 'failed', cause: 'crashed', detail: report.detail });
    }
  }

  #lose(worker: Worker, detail: string): void {
    if (worker === this.#worker) this.#end({ kind: 'failed', cause: 'crashed', detail });
  }

  /** From now on. */
  #limit(running: Running<Answer>): void {
    running.startedAt = performance.now();
    running.startedCpuMs = this.#clock.readMs();
    this.#lookAfter(running, this.#isReady ? this.#options.timeBudgetMs : startBudgetMs);
  }

  /** The thread cannot have used its budget sooner than the clock says. */
  #lookAfter(running: Running<Answer>, budgetMs: number, waitMs = budgetMs): void {
    clearTimeout(running.timer);
    running.timer = setTimeout(() => {
      const leftMs = budgetMs - (this.#clock.readMs() - running.startedCpuMs);
      if (leftMs > 0 && performance.now() - running.startedAt < clockFactor * budgetMs) {
        this.#lookAfter(running, budgetMs, Math.max(leftMs, shortestLookMs));
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
    if (this.load === 0 && this.#worker !== undefined) this.#rest(this.#worker);
    running.settle(outcome);
  }

  #rest(worker: Worker): void {
    worker.unref();
    clearTimeout(this.#idleTimer);
    const keptMs = Math.min(this.#keptUntil - performance.now(), timerMaxMs);
    this.#idleTimer = setTimeout(() => this.#end(idle), Math.max(this.#options.idleMs, keptMs)).unref();
  }

  /** The next request starts another thread. */
  #end(outcome: RunOutcome<Answer>): void {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    // One that never came to be ready would not the next time either.
    const isMissed = outcome !== idle && this.#isReady && performance.now() < this.#keptUntil;
    this.#worker = undefined;
    this.#isReady = false;
    this.#clock.close();
    this.#clock = openThreadClock(undefined);
    if (worker !== undefined) this.#ending = Promise.all([this.#ending, worker.terminate()]);
    for (const id of [...this.#running.keys()]) this.#finish(id, outcome);
    if (isMissed) this.warm();
  }
}

const idle = { kind: 'failed', cause: 'crashed', detail: 'the thread was idle' } as const;
