// Decides which remote image is fetched next. Few are fetched at once, since each waits for a stranger's server:
// sessions and networks have a share, waiting networks take turns, and requests that would wait too long or in too long
// a queue are refused. Used by remote-image-fetcher.ts.

import { MayflyError } from '../domain/mayfly-error.ts';
import { type Share, SharedBudget } from '../limits/shared-budget.ts';

/** The session and network that an image is fetched for. */
export interface ImageOwner {
  readonly session: string;
  /** The network as limits count it. */
  readonly network: string;
}

export interface ImageTurnsOptions {
  readonly atOnce: number;
  readonly perSession: number;
  readonly perNetwork: number;
  /** The most that may wait in all; a quarter of that from one network. */
  readonly waitingMax: number;
  readonly waitMaxMs: number;
}

interface WaitingImage {
  readonly shares: readonly Share[];
  start(giveBack: () => void): void;
}

const retryAfterSeconds = 5;

export class ImageTurns {
  readonly #options: ImageTurnsOptions;
  readonly #running: SharedBudget;
  readonly #waiting: SharedBudget;
  /** By network; the one that had the latest turn is last. */
  readonly #queues = new Map<string, Set<WaitingImage>>();

  constructor(options: ImageTurnsOptions) {
    this.#options = options;
    this.#running = new SharedBudget(options.atOnce);
    this.#waiting = new SharedBudget(options.waitingMax);
  }

  /** `signal` aborts when the requester has gone. @throws MayflyError unavailable */
  async run<T>(owner: ImageOwner, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const giveBack = await this.#enter(owner, signal);
    try {
      return await task();
    } finally {
      giveBack();
      this.#startNext();
    }
  }

  #enter({ session, network }: ImageOwner, signal: AbortSignal): Promise<() => void> {
    const { perSession, perNetwork, waitingMax, waitMaxMs } = this.#options;
    const shares = [
      { key: `session ${session}`, max: perSession },
      { key: `network ${network}`, max: perNetwork },
    ];
    const claim = this.#running.claim(shares);
    if (claim.isHeld) return Promise.resolve(claim.giveBack);
    const place = this.#waiting.claim([{ key: network, max: waitingMax / 4 }]);
    if (!place.isHeld) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', refuse);
        this.#remove(network, waiting);
        place.giveBack();
      };
      const refuse = (): void => {
        leave();
        reject(tooMany());
      };
      const waiting: WaitingImage = {
        shares,
        start: (giveBack) => {
          leave();
          resolve(giveBack);
        },
      };
      const timer = setTimeout(refuse, waitMaxMs);
      const queue = this.#queues.get(network);
      if (queue) queue.add(waiting);
      else this.#queues.set(network, new Set([waiting]));
      signal.addEventListener('abort', refuse, { once: true });
      if (signal.aborted) refuse();
    });
  }

  #startNext(): void {
    for (const [network, queue] of this.#queues) {
      for (const waiting of queue) {
        const claim = this.#running.claim(waiting.shares);
        // All places are taken, so no other image could start.
        if (!claim.isHeld && !claim.spent) return;
        if (!claim.isHeld) continue;
        waiting.start(claim.giveBack);
        if (queue.size > 0) {
          this.#queues.delete(network);
          this.#queues.set(network, queue);
        }
        return;
      }
    }
  }

  #remove(network: string, waiting: WaitingImage): void {
    const queue = this.#queues.get(network);
    queue?.delete(waiting);
    if (queue?.size === 0) this.#queues.delete(network);
  }
}

function tooMany(): MayflyError {
  return new MayflyError('unavailable', 'Too many remote pictures are being fetched just now.', {
    retryAfterSeconds,
  });
}
