// Sanitising of untrusted HTML off the main thread: what services call before any markup of a message leaves. The
// thread starts on need and ends when idle, since it holds 40 MB, and 60 more once a message
// needed jsdom. Whatever goes wrong, the answer is a reason and never the HTML as it came.
import { WorkerPool } from '../worker-pool.ts';
import type { SafeHtml } from './safe-html.ts';
import type { SanitiseInput } from './sanitise-html.ts';
import type { SanitiserAnswer, SanitiserRequest } from './sanitiser-protocol.ts';

export interface HtmlSanitiserOptions {
  /** Wall time for one message, from when the thread is ready. */
  timeBudgetMs?: number;
  /** An idle thread ends after this. */
  idleMs?: number;
  /** Requests that may wait for the thread. */
  maxQueued?: number;
  /** Longest HTML, in UTF-16 units; what is longer is not shown. */
  maxChars?: number;
  /** Built JavaScript of sanitiser-worker, for tests that run the sources: Node 20 loads no TypeScript in a worker. */
  workerUrl?: URL;
  /** Told of messages given up, for the log; holds nothing of the message. */
  onFault?: (fault: { cause: 'slow' | 'crashed'; detail: string }) => void;
}

export type SanitiseOutcome =
  | { kind: 'safe'; html: SafeHtml }
  /** `reason`: for people, in the middle of a sentence. */
  | { kind: 'failed'; reason: string };

export interface HtmlSanitiser {
  /** Never rejects because of what is in the HTML. @throws unavailable when too many wait, or it is closed */
  sanitise(input: SanitiseInput): Promise<SanitiseOutcome>;
  /** Somebody may open a message soon: the thread is started, or kept for its idle time again. */
  expectReads(): void;
  /** Ends the thread; resolves when it is gone. */
  close(): Promise<void>;
}

/** Starts no thread until the first request. */
export function createHtmlSanitiser(options: HtmlSanitiserOptions = {}): HtmlSanitiser {
  const { maxChars = 2 * 1024 * 1024 } = options;
  const pool = new WorkerPool<SanitiserRequest, SanitiserAnswer>({
    workerUrl: options.workerUrl ?? new URL('./sanitiser-worker.js', import.meta.url),
    timeBudgetMs: options.timeBudgetMs ?? 5_000,
    idleMs: options.idleMs ?? 60_000,
    workers: 1,
    maxQueued: options.maxQueued ?? 256,
    // A document is thrown away whole: with room for several, collecting copies none of them.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 },
  });
  return {
    async sanitise(input) {
      if (input.html.length > maxChars) {
        return { kind: 'failed', reason: 'the HTML is too large to be checked' };
      }
      const outcome = await pool.run(input, []);
      if (outcome.kind === 'failed') {
        options.onFault?.({ cause: outcome.cause, detail: outcome.detail });
        const reason =
          outcome.cause === 'slow' ? 'checking the HTML took too long' : 'the HTML could not be checked';
        return { kind: 'failed', reason };
      }
      if (outcome.answer !== null) return { kind: 'safe', html: outcome.answer };
      return { kind: 'failed', reason: 'the HTML changes each time it is read' };
    },
    expectReads: () => {
      pool.warm();
    },
    close: () => pool.close(),
  };
}
