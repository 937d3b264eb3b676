// One worker thread: started on demand, given requests once ready, and ended when a request is slow or the thread dead
// or idle. Used only by worker-threads. Has timers for its start, for the budget of each running request, and for
// idleness (unref'd); all end with the thread.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { messageOf } from '../../system-errors/src/error-message.ts';
import { openThreadClock, type ThreadClock } from './thread-clock.ts';
import type { WorkerReport } from './worker-protocol.ts';

export interface WorkerOptions {
  workerUrl: URL;
  /** An idle thread ends after this; it never keeps the process alive. */
  idleMs: number;
  resourceLimits: ResourceLimits;
  /** Passed to the thread when it starts. */
  workerData?: unknown;
  /** Whether to discard what the thread prints, since standard output belongs to the operator. */
  isSilent?: boolean;
}

export interface ThreadRequest<Request> {
  readonly request: Request;
  /** Buffers transferred to the worker. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Processor time of the thread for this request. */
  readonly timeBudgetMs: number;
}

/** `slow` is not final: another try may succeed. */
export type RunOutcome<Answer> =
  { kind: 'answer'; answer: Answer } | { kind: 'failed'; cause: 'slow' | 'crashed'; detail: string };

interface Running<Answer> {
  readonly settle: (outcome: RunOutcome<Answer>) => void;
  readonly budgetMs: number;
  /** By the clock and in the thread's processor time, ms. */
  readonly startedAt: number;
  readonly startedCpuMs: number;
  timer: NodeJS.Timeout | undefined;
}

export interface WorkerEvents<Answer> {
  /** Called when it can accept another request. */
  readonly onFree: () => void;
  /** Called when it ended before it was ready. */
  readonly onStillborn: (outcome: RunOutcome<Answer>) => void;
}

/** The time to load the worker's code, which does not count against the sender. */
const startBudgetMs = 15_000;
/** A thread that gets less than this share of a processor, or waits for something itself, is given up nevertheless. */
const clockFactor = 15;
/** The shortest interval between checks of a budget. */
const shortestLookMs = 10;
const keptMarginMs = 1000;
/** The limit of setTimeout. */
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
  /** By performance.now(). */
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

  /** Requests in progress. */
  get load(): number {
    return this.#running.size;
  }

  /** Starts the thread, or keeps an idle one for its whole idle time again, or `keepMs` if longer. Cheap. */
  warm(keepMs = 0): void {
    const until = performance.now() + keepMs;
    // Called for each recipient: the timer is not set again for nearly the same time.
    if (keepMs > 0 && this.isStarted && until < this.#keptUntil + keptMarginMs) return;
    this.#keptUntil = Math.max(this.#keptUntil, until);
    if (!this.isStarted) {
      this.start();
      // An unneeded thread must not keep the process from ending.
      this.#worker?.unref();
    } else if (this.#isReady && this.load === 0) {
      this.#rest();
    }
  }

  /** Starts the thread for a waiting request, but not before the former one has ended. */
  start(): void {
    const { workerUrl, resourceLimits, workerData, isSilent = false } = this.#options;
    const worker = new Worker(workerUrl, {
      resourceLimits,
      workerData,
      // The thread parses mail and needs no environment.
      env: {},
      argv: [],
      execArgv: [],
      stdout: isSilent,
      stderr: isSilent,
    });
    if (isSilent) for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    this.#worker = worker;
    worker.on('message', (report: WorkerReport<Answer>) => this.#hear(worker, report));
    // Running out of memory is reported as an error too (ERR_WORKER_OUT_OF_MEMORY).
    worker.on('error', (error: unknown) => this.#lose(worker, messageOf(error)));
    worker.on('exit', (code) => this.#lose(worker, `exit code ${code}`));
    this.#startTimer = setTimeout(() => {
      this.#end({ kind: 'failed', cause: 'slow', detail: `took longer than ${startBudgetMs / 1000} s` });
    }, startBudgetMs).unref();
  }

  /** Keeps the process alive while a request waits for the thread to start. */
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

  /** Ends the thread; running requests fail as crashed. */
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

  /** Schedules the next check, since a thread cannot have used its budget before as much time has passed. */
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

  /** Ends the thread; the next request starts another. */
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
    // A thread that failed to start would fail again.
    if (!wasReady) this.#events.onStillborn(outcome);
    else if (outcome !== idle && performance.now() < this.#keptUntil) this.warm();
    this.#events.onFree();
  }
}

const idle = { kind: 'failed', cause: 'crashed', detail: 'the thread was idle' } as const;
