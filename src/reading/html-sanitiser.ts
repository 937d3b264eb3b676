// Sanitising of untrusted HTML off the main thread: what services call before any markup of a message leaves. The
// thread starts on need and ends when idle, since it holds 40 MB, and 60 more once a message
// needed jsdom. Whatever goes wrong, the answer is a reason and never the HTML as it came.
import type { HtmlRefusal, SafeHtml, SanitiseInput } from '@mayfly/mail-reader/html';
import type { TurnOwner } from '../threads/fair-queue.ts';
import { WorkerPool } from '../threads/worker-pool.ts';
import type { SanitiserAnswer, SanitiserRequest } from './sanitiser-protocol.ts';

export interface HtmlSanitiserOptions {
  /** Processor time for one message, from when the thread is ready. */
  timeBudgetMs?: number;
  /** An idle thread ends after this. */
  idleMs?: number;
  /** Requests that may wait for the thread. */
  maxQueued?: number;
  /** What no thread could begin within this is not shown. */
  maxWaitMs?: number;
  /** Longest HTML, in UTF-16 units; what is longer is not shown. */
  maxChars?: number;
  /** Built JavaScript of sanitiser-worker, for tests that run the sources: Node 20 loads no TypeScript in a worker. */
  workerUrl?: URL;
  /** Told of messages given up, for the log; holds nothing of the message. */
  onFault?: (fault: { cause: 'slow' | 'crashed'; detail: string }) => void;
}

export type SanitiseOutcome =
  | { kind: 'safe'; html: SafeHtml }
  /** `reason`: for people, in the middle of a sentence. `isProvisional`: the next try may not fail. */
  | { kind: 'failed'; reason: string; isProvisional?: true };

export interface HtmlSanitiser {
  /** Never rejects because of what is in the HTML. @throws unavailable when it would wait too long, or it is closed */
  sanitise(input: SanitiseInput, owner: TurnOwner): Promise<SanitiseOutcome>;
  /** A message may be opened soon: the thread is started, or kept for its idle time again or for `keepMs`. */
  expectReads(keepMs?: number): void;
  /** Ends the thread; resolves when it is gone. */
  close(): Promise<void>;
}

const refusals: Readonly<Record<HtmlRefusal, string>> = {
  unstable: 'the HTML changes each time it is read',
  excessive: 'the HTML makes far more elements than it has tags, or nests them too deep',
};

/** Starts no thread until the first request. */
export function createHtmlSanitiser(options: HtmlSanitiserOptions = {}): HtmlSanitiser {
  const { maxChars = 2 * 1024 * 1024 } = options;
  const pool = new WorkerPool<SanitiserRequest, SanitiserAnswer>({
    workerUrl: options.workerUrl ?? new URL('./sanitiser-worker.js', import.meta.url),
    timeBudgetMs: options.timeBudgetMs ?? 3_000,
    idleMs: options.idleMs ?? 60_000,
    // The second is started only while one network keeps the first.
    workers: 2,
    maxQueued: options.maxQueued ?? 256,
    // The rest of the message is not to wait for it.
    maxWaitMs: options.maxWaitMs ?? 2_000,
    // A document is thrown away whole: with room for several, collecting copies none of them.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 },
  });
  return {
    async sanitise(input, owner) {
      if (input.html.length > maxChars) {
        return { kind: 'failed', reason: 'the HTML is too large to be checked' };
      }
      const outcome = await pool.run({ owner, request: input });
      if (outcome.kind === 'failed') {
        options.onFault?.({ cause: outcome.cause, detail: outcome.detail });
        return outcome.cause === 'slow'
          ? { kind: 'failed', reason: 'checking the HTML took too long', isProvisional: true }
          : { kind: 'failed', reason: 'the HTML could not be checked' };
      }
      const { answer } = outcome;
      return 'refused' in answer
        ? { kind: 'failed', reason: refusals[answer.refused] }
        : { kind: 'safe', html: answer };
    },
    expectReads: (keepMs) => {
      pool.warm(keepMs);
    },
    close: () => pool.close(),
  };
}
