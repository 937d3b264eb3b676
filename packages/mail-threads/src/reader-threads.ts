// The threads that read mail, shared by the parser, the glances and the sanitiser: each has its own queue and its own
// share, so that none waits behind another, and any free thread does the work. One is ready while mail is expected,
// which is enough for a service with few users. Large mail has one thread of its own, which ends soon: a megabyte of HTML
// takes 150 MB in a thread, and none of the others may grow so.
import { growFreely, growSparingly } from '../../threads/src/heap-growth.ts';
import type { RunOutcome } from '../../threads/src/pooled-worker.ts';
import { WorkerThreads } from '../../threads/src/worker-threads.ts';
import { FairLane, type Refuse } from '../../networks/src/fair-lane.ts';
import type { PooledRequest, WorkerPool } from '../../threads/src/worker-pool.ts';
import type { ReaderAnswer, ReaderRequest } from './reader-protocol.ts';

export interface ReaderThreadsOptions {
  /** Returns the error for a request that gets no turn. */
  refuse: Refuse;
  /** The most messages parsed at once. */
  parsing: number;
  /** A thread that is neither needed nor kept ends after this. */
  idleMs: number;
  /** The built reader-worker, for tests that run the sources: Node 20 loads no TypeScript in a worker. */
  workerUrl?: URL;
}

export interface ReaderWork extends PooledRequest<ReaderRequest> {
  readonly bytes: number;
  readonly pool: WorkerPool<ReaderRequest, ReaderAnswer>;
  /** Processor time of a thread. */
  readonly timeBudgetMs: number;
}

export interface ReaderThreads {
  readonly threads: WorkerThreads<ReaderRequest, ReaderAnswer>;
  readonly refuse: Refuse;
  /** How many requests of each kind may be in progress. */
  readonly shares: { readonly parse: number; readonly glance: number; readonly sanitise: number };
  /**
   * Runs a request for `bytes` of a message in its turn: in the thread for large mail, or in the pool.
   * @throws what `refuse` returns when too many requests wait, or it would wait too long
   */
  run(given: ReaderWork): Promise<RunOutcome<ReaderAnswer>>;
  /**
   * Call when mail may arrive or be opened soon: starts a thread, or keeps one for its idle time again or for
   * `keepMs`. Cheap.
   */
  expect(keepMs?: number): void;
  /** Ends the threads; resolves when they are gone. */
  close(): Promise<void>;
}

/** Threads beside those that parse, so that a slow message does not delay every list and stream. */
const spare = 1;
/** Batches of glances at once: many lists of new mail need more than one processor. */
const glancing = 2;
/** The threads that sanitise; the second one serves others while one network occupies the first. */
const sanitising = 2;

/** Larger mail is read by a thread of its own, one at a time. */
const largeBytes = 128 * 1024;
/** It ends after so long without work: what it took is given back only then. */
const largeIdleMs = 2000;
const ofLarge = {
  atOnce: 1,
  perSession: 1,
  perNetwork: 1,
  perSite: 1,
  waitingMax: 256,
  waitMaxMs: 30_000,
  busyMessage: 'Too many large messages are being read at once.',
};

/** Starts no thread until `expect` is called. */
export function createReaderThreads(options: ReaderThreadsOptions): ReaderThreads {
  const { refuse, parsing, idleMs } = options;
  const common = {
    workerUrl: options.workerUrl ?? new URL('./reader-worker.js', import.meta.url),
    // The message's own bytes do not count. A young generation grows to three times its size and stays there.
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 6 },
  };
  // Each takes 35 MB: sanitising shares those of the others.
  const threads = new WorkerThreads<ReaderRequest, ReaderAnswer>({
    ...common,
    threads: parsing + spare,
    idleMs,
  });
  const largeThread = new WorkerThreads<ReaderRequest, ReaderAnswer>({
    ...common,
    threads: 1,
    idleMs: Math.min(idleMs, largeIdleMs),
  });
  const large = new FairLane({ ...ofLarge, refuse });
  return {
    threads,
    refuse,
    shares: { parse: parsing, glance: glancing, sanitise: sanitising },
    run: ({ owner, request, transfer = [], bytes, pool, timeBudgetMs }) =>
      bytes > largeBytes
        ? large.run(owner, () => sparingly(largeThread.run({ request, transfer, timeBudgetMs })))
        : pool.run({ owner, request, transfer }),
    expect: (keepMs) => {
      threads.warm(keepMs);
    },
    close: async () => {
      large.close();
      await Promise.all([threads.close(), largeThread.close()]);
    },
  };
}

async function sparingly<T>(reading: Promise<T>): Promise<T> {
  growSparingly();
  try {
    return await reading;
  } finally {
    growFreely();
  }
}
