// The threads that read mail, for the parser's, the glances' and the sanitiser's requests alike: each of the three has
// its own order and its own share of them, so that none waits behind another's, and whichever thread is free does the
// work. One is ready while mail is expected, and does everything for a service with few people.
import { WorkerThreads } from '../threads/worker-threads.ts';
import type { ReaderAnswer, ReaderRequest } from './reader-protocol.ts';

export interface ReaderThreadsOptions {
  /** Messages that are parsed at once. */
  parsing?: number;
  /** A thread that nothing needs or keeps ends after this. */
  idleMs?: number;
  /** Built JavaScript of reader-worker, for tests that run the sources: Node 20 loads no TypeScript in a worker. */
  workerUrl?: URL;
}

export interface ReaderThreads {
  readonly threads: WorkerThreads<ReaderRequest, ReaderAnswer>;
  /** How many requests of each kind may be under way. */
  readonly shares: { readonly parse: number; readonly glance: number; readonly sanitise: number };
  /** Mail may come or be looked at soon: a thread is started, or kept for its idle time again or for `keepMs`. Cheap. */
  expect(keepMs?: number): void;
  /** Ends the threads; resolves when they are gone. */
  close(): Promise<void>;
}

/** A message that takes its whole time to read must not hold up every list and stream. */
const glancing = 1;
/** The second is for others while one network has the first. */
const sanitising = 2;

/** Starts no thread until it is expected to. */
export function createReaderThreads(options: ReaderThreadsOptions = {}): ReaderThreads {
  const { parsing = 2, idleMs = 30_000 } = options;
  const threads = new WorkerThreads<ReaderRequest, ReaderAnswer>({
    workerUrl: options.workerUrl ?? new URL('./reader-worker.js', import.meta.url),
    threads: parsing + glancing + sanitising,
    idleMs,
    // The message's own bytes do not count. A young generation grows to three times its size, and keeps that.
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
