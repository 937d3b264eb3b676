// Deeds that are done a while after they were asked for, so that they can be taken back. Used for deleting messages. Its
// timers end with the deed, with undo() or with flush(); it does not know what the deeds are.

export interface UndoQueue<T> {
  add(item: T): void;
  /** Takes the item, or else the newest, back; undefined when there is none to take back. */
  undo(item?: T): T | undefined;
  /** Does everything now; the page is going away. */
  flush(): void;
}

interface Waiting<T> {
  readonly item: T;
  readonly timer: ReturnType<typeof setTimeout>;
}

export interface UndoQueueOptions<T> {
  readonly delayMs: number;
  /** `isLast` when the page is going away. */
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
