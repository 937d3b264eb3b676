// One worker thread of a pool, started on need, given one request at a time, ended when it is slow, dead or idle.
// Used by worker-pool alone. It owns two timers: the budget of the running request, and the idle one (unref'd);
// both end with the thread.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { WorkerReport } from './parser-protocol.ts';

export interface WorkerOptions {
  workerUrl: URL;
  /** Wall time of one request, from when the worker is ready for it. */
  timeBudgetMs: number;
  /** An idle thread ends after this; it never keeps the process alive. */
  idleMs: number;
  resourceLimits: ResourceLimits;
}

export type RunOutcome<Answer> =
  { kind: 'answer'; answer: Answer } | { kind: 'failed'; cause: 'slow' | 'crashed'; detail: string };

/** Loading the worker's code is our time, not the sender's. */
const startBudgetMs = 15_000;

export class PooledWorker<Request, Answer> {
  readonly #options: WorkerOptions;
  #worker: Worker | undefined;
  #isReady = false;
  #settle: ((outcome: RunOutcome<Answer>) => void) | undefined;
  #budgetTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #ending: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#settle !== undefined;
  }

  /** Starts the thread, or keeps an idle one for its whole time again. */
  warm(): void {
    if (this.isBusy) return;
    this.#worker ??= this.#start();
    this.#rest(this.#worker);
  }

  /** Runs one request; never rejects. The buffers in `transfer` are the worker's from then on. */
  async run(request: Request, transfer: ArrayBuffer[]): Promise<RunOutcome<Answer>> {
    if (this.#settle !== undefined) throw new Error('a worker runs one request at a time');
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    worker.postMessage(request, transfer);
    this.#limit(this.#isReady ? this.#options.timeBudgetMs : startBudgetMs);
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Ends the thread; a running request fails as crashed. */
  async stop(): Promise<void> {
    this.#finish({ kind: 'failed', cause: 'crashed', detail: 'the parser was closed' });
    this.#end();
    await this.#ending;
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerUrl, {
      resourceLimits: this.#options.resourceLimits,
      // Nothing in a worker has business with them, and mail is parsed there.
      env: {},
      argv: [],
      execArgv: [],
    });
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
      if (this.isBusy) this.#limit(this.#options.timeBudgetMs);
    } else if (report.kind === 'answer') {
      this.#finish({ kind: 'answer', answer: report.answer });
    } else {
      this.#finish({ kind: 'failed', cause: 'crashed', detail: report.message });
    }
  }

  #lose(worker: Worker, detail: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#finish({ kind: 'failed', cause: 'crashed', detail });
  }

  #limit(budgetMs: number): void {
    clearTimeout(this.#budgetTimer);
    this.#budgetTimer = setTimeout(() => {
      this.#end();
      this.#finish({ kind: 'failed', cause: 'slow', detail: `took longer than ${budgetMs / 1000} s` });
    }, budgetMs);
  }

  #finish(outcome: RunOutcome<Answer>): void {
    clearTimeout(this.#budgetTimer);
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    if (this.#worker !== undefined) this.#rest(this.#worker);
    settle(outcome);
  }

  #rest(worker: Worker): void {
    worker.unref();
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#end(), this.#options.idleMs).unref();
  }

  /** The next request starts another thread. */
  #end(): void {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker !== undefined) this.#ending = Promise.all([this.#ending, worker.terminate()]);
  }
}
