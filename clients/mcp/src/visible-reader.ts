// Reads what a person sees of messages, in a thread of its own and one after the other. A message that takes too long
// costs the thread, which is then started anew, and itself alone.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import type { SeenMessage } from '@mayfly/mail-reader/visible';

import { Refusal } from './refusal.ts';

const readMaxMs = 5000;
const waitingMax = 50;
/** MB, of the thread. */
const memoryMax = 256;

export class VisibleReader {
  readonly #readMaxMs: number;
  #worker: Worker | undefined;
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
    // The next one's turn comes whatever becomes of this one.
    this.#last = turn.then(ignore, ignore);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #readNow(raw: Uint8Array): Promise<SeenMessage> {
    this.#worker ??= startWorker();
    const worker = this.#worker;
    const seen = await answerOf(worker, raw, this.#readMaxMs);
    if (seen === 'failed') await this.close();
    if (seen === 'failed' || seen === null) throw new Refusal('message_unreadable');
    return seen;
  }
}

function startWorker(): Worker {
  const file = new URL('./visible-worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) throw new Error('The server is not built.');
  const worker = new Worker(file, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMax },
  });
  worker.unref();
  return worker;
}

function answerOf(worker: Worker, raw: Uint8Array, maxMs: number): Promise<SeenMessage | null | 'failed'> {
  return new Promise((resolve) => {
    const end = (answer: SeenMessage | null | 'failed'): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // A thread without a listener would take the process with it when it fails.
      worker.on('error', ignore);
      resolve(answer);
    };
    const fail = (): void => {
      end('failed');
    };
    const timer = setTimeout(fail, maxMs);
    worker.once('message', end);
    worker.once('error', fail);
    worker.once('exit', fail);
    worker.postMessage(raw);
  });
}

function ignore(): void {
  // Whoever waits for the turn is told.
}
