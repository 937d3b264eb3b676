// Delays actions so that they can be undone; used for deleting messages. An item's timer ends with its commit or with
// undo().
import { type Countdown, startCountdown } from './countdown.ts';

export interface UndoQueue<T> {
  add(item: T): void;
  /** Takes back the item, by default the newest; undefined if there is none. */
  undo(item?: T): T | undefined;
  /** Stops the time, while the reader is at the button that undoes. */
  hold(): void;
  release(): void;
  /** Commits everything now. */
  flush(): void;
}

interface Waiting<T> {
  readonly item: T;
  readonly countdown: Countdown;
}

export interface UndoQueueOptions<T> {
  readonly delayMs: number;
  readonly commit: (item: T) => void;
}

export function createUndoQueue<T>({ delayMs, commit }: UndoQueueOptions<T>): UndoQueue<T> {
  let waiting: readonly Waiting<T>[] = [];

  function take(found: Waiting<T> | undefined): T | undefined {
    if (!found) return undefined;
    found.countdown.end();
    waiting = waiting.filter((one) => one !== found);
    return found.item;
  }

  return {
    add: (item) => {
      const countdown = startCountdown(delayMs, () => {
        waiting = waiting.filter((one) => one.item !== item);
        commit(item);
      });
      waiting = [...waiting, { item, countdown }];
    },
    undo: (item) => take(item === undefined ? waiting.at(-1) : waiting.find((one) => one.item === item)),
    hold: () => {
      for (const { countdown } of waiting) countdown.hold();
    },
    release: () => {
      for (const { countdown } of waiting) countdown.release();
    },
    flush: () => {
      for (const one of waiting) commit(take(one) as T);
    },
  };
}
