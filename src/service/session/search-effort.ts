// Bounds the searches of one request: by time, and by whether its caller still waits. Used by every search that may
// have to read whole messages.

import { setImmediate as nextTurn } from 'node:timers/promises';

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';

/** The most messages read at once per search, so that other searches and sessions get their turns in between. */
const readAtOnce = 4;
/** How long messages are compared in one turn of the event loop. */
const turnMs = 5;
/** A longer search is answered with "try again"; messages read so far are not read again. */
export const searchMaxMs = 20_000;

export class SearchEffort {
  readonly #until: number;
  readonly #gone: AbortSignal | undefined;
  #turnSince = performance.now();

  constructor({ requester }: Session, msMax = searchMaxMs) {
    this.#until = performance.now() + msMax;
    this.#gone = requester?.gone;
  }

  /** Yields the event loop now and then. @throws MayflyError unavailable when it is used up or the caller has gone */
  async spend(): Promise<void> {
    if (performance.now() - this.#turnSince > turnMs) {
      await nextTurn();
      this.#turnSince = performance.now();
    }
    this.#gone?.throwIfAborted();
    if (performance.now() > this.#until) throw tooLong();
  }

  /** Returns those that match, in order, up to the limit. @throws MayflyError unavailable */
  async keep<T>(
    candidates: readonly T[],
    isMatch: (one: T) => boolean | Promise<boolean>,
    limit = Infinity,
  ): Promise<T[]> {
    const kept: T[] = [];
    for (let at = 0; at < candidates.length && kept.length < limit;) {
      await this.spend();
      // Those that need no reading cost no turn of their own.
      const reading: Promise<boolean>[] = [];
      const from = at;
      const answers: (boolean | Promise<boolean>)[] = [];
      while (at < candidates.length && at - from < comparedAtOnce && reading.length < readAtOnce) {
        const answer = isMatch(candidates[at] as T);
        answers.push(answer);
        if (typeof answer !== 'boolean') reading.push(answer);
        at += 1;
      }
      const verdicts = await Promise.all(answers.map((answer) => Promise.resolve(answer)));
      kept.push(...candidates.slice(from, at).filter((_, index) => verdicts[index]));
    }
    return kept.slice(0, limit);
  }
}

/** The most compared between two looks at the clock. */
const comparedAtOnce = 32;

function tooLong(): MayflyError {
  return new MayflyError(
    'unavailable',
    'The search is taking long; repeat the request to continue it. `since`, `from` or `after` shorten it.',
    { retryAfterSeconds: 1 },
  );
}
