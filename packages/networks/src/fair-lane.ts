// Runs a limited number of tasks at once, in the order of a fair queue, and refuses those that would wait too long.
// Has a timer for each waiting task.
import { FairQueue, type FairQueueOptions, type TurnOwner } from './fair-queue.ts';

/** Returns the error for a task that gets no turn; `message` is a sentence. */
export type Refuse = (message: string, retryAfterSeconds?: number) => Error;

export interface FairLaneOptions extends FairQueueOptions {
  readonly atOnce: number;
  readonly refuse: Refuse;
  /** A task that has not started within this is refused; never when absent. */
  readonly waitMaxMs?: number;
  /** The error text for refused tasks, a sentence. */
  readonly busyMessage?: string;
}

interface WaitingWork {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

export class FairLane {
  readonly #options: FairLaneOptions;
  readonly #queue: FairQueue<WaitingWork>;
  #running = 0;
  #isClosed = false;

  constructor(options: FairLaneOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options);
  }

  /**
   * @throws what `refuse` returns when too many wait, it would wait too long, or the lane is closed; the reason of the owner's
   * signal when that aborts before the task has started
   */
  async run<T>(owner: TurnOwner, work: () => Promise<T>): Promise<T> {
    await this.#enter(owner);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#queue.leave(owner, performance.now() - startedAt);
      this.#startNext();
    }
  }

  /** Rejects waiting tasks; running ones continue. */
  close(): void {
    this.#isClosed = true;
    for (const { refuse } of this.#queue.drain()) refuse(this.#shuttingDown());
  }

  async #enter(owner: TurnOwner): Promise<void> {
    const { signal } = owner;
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#shuttingDown();
    const { waitMaxMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let giveUp: (() => void) | undefined;
    try {
      await new Promise<void>((start, refuse) => {
        const waiting: WaitingWork = { start, refuse };
        const dropped = this.#queue.add(owner, waiting);
        this.#startNext();
        dropped?.refuse(this.#tooBusy());
        // Most start at once and need neither timer nor listener.
        if ((waitMaxMs === undefined && !signal) || !this.#queue.has(owner, waiting)) return;
        const leave = (reason: () => Error) => (): void => {
          if (this.#queue.remove(owner, waiting)) refuse(reason());
        };
        if (waitMaxMs !== undefined) timer = setTimeout(leave(this.#tooBusy.bind(this)), waitMaxMs);
        giveUp = leave(() => signal?.reason as Error);
        signal?.addEventListener('abort', giveUp);
      });
    } finally {
      clearTimeout(timer);
      if (giveUp) signal?.removeEventListener('abort', giveUp);
    }
  }

  #tooBusy(): Error {
    const { busyMessage = 'Too many messages are being read at once.', refuse } = this.#options;
    return refuse(busyMessage, 2);
  }

  #shuttingDown(): Error {
    return this.#options.refuse('The service is shutting down.');
  }

  #startNext(): void {
    while (this.#running < this.#options.atOnce) {
      const next = this.#queue.take();
      if (next === undefined) return;
      this.#running += 1;
      next.item.start();
    }
  }
}
