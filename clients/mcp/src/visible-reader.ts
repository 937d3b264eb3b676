// Extracts the visible text of messages, one by one in a separate thread, in turns by caller. A message that takes too
// long fails, and the thread is restarted.

import { Worker } from 'node:worker_threads';

import type { SeenMessage } from '@mayfly/mail-reader/visible';

import { Refusal } from './refusal.ts';

/** Null for a message with deliberately costly markup. */
type Answer = SeenMessage | null | 'failed';

const readMaxMs = 10_000;
const waitingMax = 50;
const waitingOfCallerMax = 10;
/** Memory of the thread in MB. */
const memoryMax = 256;

export class VisibleReader {
  readonly #readMaxMs: number;
  #worker: Worker | undefined;
  /** For the message being read. */
  #answer: (answer: Answer) => void = ignore;
  /** Waiting for a turn; the caller who had the latest is last. */
  readonly #waiting = new Map<object, (() => void)[]>();
  #isReading = false;

  constructor(msMax = readMaxMs) {
    this.#readMaxMs = msMax;
  }

  /** @throws Refusal message_unreadable, too_many_calls */
  async read(raw: Uint8Array, caller: object): Promise<SeenMessage> {
    const own = this.#waiting.get(caller) ?? [];
    const all = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
    if (all >= waitingMax || own.length >= waitingOfCallerMax) throw new Refusal('too_many_calls');
    await new Promise<void>((start) => {
      this.#waiting.set(caller, [...own, start]);
      if (!this.#isReading) this.#startNext();
    });
    try {
      return await this.#readNow(raw);
    } finally {
      this.#startNext();
    }
  }

  #startNext(): void {
    const [next] = this.#waiting;
    this.#isReading = next !== undefined;
    if (!next) return;
    const [caller, [start, ...others]] = next;
    this.#waiting.delete(caller);
    if (others.length > 0) this.#waiting.set(caller, others);
    start?.();
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
