// Sanitises untrusted HTML off the main thread. On any failure it returns a reason and never the original HTML.
import type { HtmlRefusal, SafeHtml, SanitiseInput } from '@mayfly/mail-reader/html';
import type { TurnOwner } from '../../networks/src/fair-queue.ts';
import { WorkerPool } from '../../threads/src/worker-pool.ts';
import type { ReaderThreads } from './reader-threads.ts';

export interface HtmlSanitiserOptions {
  readonly readers: ReaderThreads;
  /** Processor time per message, from when the thread is ready. */
  timeBudgetMs?: number;
  /** The most requests that may wait for the thread. */
  queuedMax?: number;
  /** A message that no thread could start on within this is not shown. */
  waitMaxMs?: number;
  /** Called for messages given up, for the log; contains nothing of the message. */
  onFault: (fault: { cause: 'slow' | 'crashed'; detail: string }) => void;
}

export type SanitiseOutcome =
  | { kind: 'safe'; html: SafeHtml }
  /** `reason`: for people, in the middle of a sentence. `isProvisional`: another try may succeed. */
  | { kind: 'failed'; reason: string; isProvisional?: true };

export interface HtmlSanitiser {
  /** Never rejects because of the HTML. @throws what `refuse` returns when it would wait too long, or the sanitiser is closed */
  sanitise(input: SanitiseInput, owner: TurnOwner): Promise<SanitiseOutcome>;
  /** Rejects waiting requests. */
  close(): void;
}

/** The longest HTML shown, in UTF-16 units. */
const charsMax = 2 * 1024 * 1024;

const refusals: Readonly<Record<HtmlRefusal, string>> = {
  unstable: 'the HTML changes each time it is read',
  excessive: 'the HTML makes far more elements than it has tags, or nests them too deep',
};

export function createHtmlSanitiser(options: HtmlSanitiserOptions): HtmlSanitiser {
  const { readers, timeBudgetMs = 3_000 } = options;
  const pool = new WorkerPool({
    threads: readers.threads,
    refuse: readers.refuse,
    atOnce: readers.shares.sanitise,
    timeBudgetMs,
    queuedMax: options.queuedMax ?? 256,
    // Short, so that the rest of the message does not wait for it.
    waitMaxMs: options.waitMaxMs ?? 2_000,
  });
  return {
    async sanitise(input, owner) {
      if (input.html.length > charsMax) {
        return { kind: 'failed', reason: 'the HTML is too large to be checked' };
      }
      const outcome = await readers.run({
        owner,
        request: { kind: 'sanitise', input },
        bytes: input.html.length,
        pool,
        timeBudgetMs,
      });
      if (outcome.kind === 'failed') {
        options.onFault({ cause: outcome.cause, detail: outcome.detail });
        return outcome.cause === 'slow'
          ? { kind: 'failed', reason: 'checking the HTML took too long', isProvisional: true }
          : { kind: 'failed', reason: 'the HTML could not be checked' };
      }
      const { answer } = outcome;
      if (answer.kind !== 'sanitise') throw new Error(`a sanitiser answered as ${answer.kind}`);
      const { html } = answer;
      return 'refused' in html ? { kind: 'failed', reason: refusals[html.refused] } : { kind: 'safe', html };
    },
    close: () => {
      pool.close();
    },
  };
}
