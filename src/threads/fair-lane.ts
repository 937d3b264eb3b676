// Lets so many pieces of work run at once, in the order of a fair queue, and refuses what would wait too long. Used by
// worker-pool, and by services where whole messages are in memory. It owns a timer for each piece that waits.
import { MayflyError } from '../domain/mayfly-error.ts';
import { FairQueue, type FairQueueOptions, type TurnOwner } from './fair-queue.ts';

export interface FairLaneOptions extends FairQueueOptions {
  readonly atOnce: number;
  /** Whatever has not begun within this is refused; never when absent. */
  readonly maxWaitMs?: number;
  /** What whatever is refused is told, as a sentence. */
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

  /** @throws unavailable when too much waits, it would wait too long, or the lane is closed */
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

  /** Refuses what waits; what runs is left alone. */
  close(): void {
    this.#isClosed = true;
    for (const { refuse } of this.#queue.drain()) refuse(shuttingDown());
  }

  async #enter(owner: TurnOwner): Promise<void> {
    if (this.#isClosed) throw shuttingDown();
    const { maxWaitMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((start, refuse) => {
        const waiting: WaitingWork = { start, refuse };
        const dropped = this.#queue.add(owner, waiting);
        this.#startNext();
        dropped?.refuse(this.#tooBusy());
        // Most begin at once and need no timer.
        if (maxWaitMs === undefined || !this.#queue.has(owner, waiting)) return;
        timer = setTimeout(() => {
          if (this.#queue.remove(owner, waiting)) refuse(this.#tooBusy());
        }, maxWaitMs);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #tooBusy(): MayflyError {
    const { busyMessage = 'Too many messages are being read at once.' } = this.#options;
    return new MayflyError('unavailable', busyMessage, { retryAfterSeconds: 2 });
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

function shuttingDown(): MayflyError {
  return new MayflyError('unavailable', 'The service is shutting down.');
}
