// The threads that read mail, shared by the parser, the glances and the sanitiser: each has its own queue and its own
// share, so that none waits behind another, and any free thread does the work. One is ready while mail is expected,
// which is enough for a service with few users.
import { WorkerThreads } from '../threads/worker-threads.ts';
import type { ReaderAnswer, ReaderRequest } from './reader-protocol.ts';

export interface ReaderThreadsOptions {
  /** The most messages parsed at once. */
  parsing?: number;
  /** A thread that is neither needed nor kept ends after this. */
  idleMs?: number;
  /** The built reader-worker, for tests that run the sources: Node 20 loads no TypeScript in a worker. */
  workerUrl?: URL;
}

export interface ReaderThreads {
  readonly threads: WorkerThreads<ReaderRequest, ReaderAnswer>;
  /** How many requests of each kind may be in progress. */
  readonly shares: { readonly parse: number; readonly glance: number; readonly sanitise: number };
  /**
   * Call when mail may arrive or be opened soon: starts a thread, or keeps one for its idle time again or for
   * `keepMs`. Cheap.
   */
  expect(keepMs?: number): void;
  /** Ends the threads; resolves when they are gone. */
  close(): Promise<void>;
}

/** Threads for glances: only one, so that a slow message does not delay every list and stream. */
const glancing = 1;
/** The threads that sanitise; the second one serves others while one network occupies the first. */
const sanitising = 2;

/** Starts no thread until `expect` is called. */
export function createReaderThreads(options: ReaderThreadsOptions = {}): ReaderThreads {
  const { parsing = 2, idleMs = 30_000 } = options;
  const threads = new WorkerThreads<ReaderRequest, ReaderAnswer>({
    workerUrl: options.workerUrl ?? new URL('./reader-worker.js', import.meta.url),
    threads: parsing + glancing + sanitising,
    idleMs,
    // The message's own bytes do not count. A young generation grows to three times its size and stays there.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 },
  });
  return {
    threads,
    shares: { parse: parsing, glance: glancing, sanitise: sanitising },
    expect: (keepMs) => {
      threads.warm(keepMs);
    },
    close: () => threads.close(),
  };
}
