// Extracts the visible text of messages, one by one in a separate thread. A message that takes too long fails, and the
// thread is restarted.

import { Worker } from 'node:worker_threads';

import type { SeenMessage } from '@mayfly/mail-reader/visible';

import { Refusal } from './refusal.ts';

/** Null for a message with deliberately costly markup. */
type Answer = SeenMessage | null | 'failed';

const readMaxMs = 10_000;
const waitingMax = 50;
/** Memory of the thread in MB. */
const memoryMax = 256;

export class VisibleReader {
  readonly #readMaxMs: number;
  #worker: Worker | undefined;
  /** For the message being read. */
  #answer: (answer: Answer) => void = ignore;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(maxMs = readMaxMs) {
    this.#readMaxMs = maxMs;
  }

  /** @throws Refusal message_unreadable, too_many_calls */
  async read(raw: Uint8Array): Promise<SeenMessage> {
    if (this.#waiting >= waitingMax) throw new Refusal('too_many_calls');
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#readNow(raw));
    // The next message is read whether or not this one fails.
    this.#last = turn.then(ignore, ignore);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #readNow(raw: Uint8Array): Promise<SeenMessage> {
    const worker = this.#worker ?? this.#startWorker();
    this.#worker = worker;
    const answer = new Promise<Answer>((resolve) => {
      this.#answer = resolve;
    });
    const timer = setTimeout(() => {
      this.#answer('failed');
    }, this.#readMaxMs);
    worker.postMessage(raw);
    const seen = await answer;
    clearTimeout(timer);
    if (seen === 'failed') {
      this.#worker = undefined;
      await worker.terminate();
    }
    if (seen === 'failed' || seen === null) throw new Refusal('message_unreadable');
    return seen;
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./visible-worker.js', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMax },
    });
    // A terminated thread must not answer any more.
    const settle = (answer: Answer): void => {
      if (this.#worker === worker) this.#answer(answer);
    };
    worker.on('message', settle);
    worker.on('error', () => {
      settle('failed');
    });
    worker.on('exit', () => {
      settle('failed');
      if (this.#worker === worker) this.#worker = undefined;
    });
    worker.unref();
    return worker;
  }
}

function ignore(): void {
  // The waiting call gets the rejection.
}
