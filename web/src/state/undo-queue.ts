// Delays actions so that they can be undone; used for deleting messages. An item's timer ends with its commit, with
// undo() or with flush().

export interface UndoQueue<T> {
  add(item: T): void;
  /** Takes back the item, by default the newest; undefined if there is none. */
  undo(item?: T): T | undefined;
  /** Commits everything now, because the page is closing. */
  flush(): void;
}

interface Waiting<T> {
  readonly item: T;
  readonly timer: ReturnType<typeof setTimeout>;
}

export interface UndoQueueOptions<T> {
  readonly delayMs: number;
  /** `isLast` when the page is closing. */
  readonly commit: (item: T, isLast: boolean) => void;
}

export function createUndoQueue<T>({ delayMs, commit }: UndoQueueOptions<T>): UndoQueue<T> {
  let waiting: readonly Waiting<T>[] = [];

  function take(found: Waiting<T> | undefined): T | undefined {
    if (!found) return undefined;
    clearTimeout(found.timer);
    waiting = waiting.filter((one) => one !== found);
    return found.item;
  }

  return {
    add: (item) => {
      const timer = setTimeout(() => {
        waiting = waiting.filter((one) => one.timer !== timer);
        commit(item, false);
      }, delayMs);
      waiting = [...waiting, { item, timer }];
    },
    undo: (item) => take(item === undefined ? waiting.at(-1) : waiting.find((one) => one.item === item)),
    flush: () => {
      const all = waiting;
      waiting = [];
      for (const { item, timer } of all) {
        clearTimeout(timer);
        commit(item, true);
      }
    },
  };
}
