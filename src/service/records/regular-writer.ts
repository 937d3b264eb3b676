// Writes what was counted in memory, once in a while and one write at a time. Counts whose write failed wait for the next:
// the store may be away for a moment. A write that the store had done in part, or in full, then counts twice.

export interface RegularWriter {
  /** Writes now, after a write that is under way. Never rejects. */
  flush(): Promise<void>;
  /** Writes for the last time. */
  close(): Promise<void>;
}

export interface RegularWriterOptions<E> {
  readonly everyMs: number;
  /** Returns what was counted since the last call. */
  readonly take: () => readonly E[];
  readonly keyOf: (entry: E) => string | number;
  /** Makes one of two entries of the same key; `addUp` adds counts. */
  readonly join: (earlier: E, later: E) => E;
  /** Entries that wait; those of new keys are dropped beyond. For what strangers cause. */
  readonly waitingMax?: number;
  /** Called with one entry at least. */
  readonly write: (entries: readonly E[]) => Promise<void>;
  /** Called after each write, and where there was nothing to write. */
  readonly sweep?: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The sum, with the rest of the later one. */
export function addUp<E extends { readonly count: number }>(earlier: E, later: E): E {
  return { ...later, count: earlier.count + later.count };
}

export function writeRegularly<E>(options: RegularWriterOptions<E>): RegularWriter {
  const { everyMs, take, keyOf, join, waitingMax = Infinity, write, sweep, onError } = options;
  const waiting = new Map<string | number, E>();
  let writing = Promise.resolve();

  function wait(entries: readonly E[]): void {
    for (const entry of entries) {
      const key = keyOf(entry);
      const earlier = waiting.get(key);
      if (earlier) waiting.set(key, join(earlier, entry));
      else if (waiting.size < waitingMax) waiting.set(key, entry);
    }
  }

  async function writeAll(): Promise<void> {
    wait(take());
    if (waiting.size > 0) await write([...waiting.values()]);
    waiting.clear();
    await sweep?.();
  }

  function flush(): Promise<void> {
    writing = writing.then(writeAll).catch(onError);
    return writing;
  }
  const timer = setInterval(() => void flush(), everyMs).unref();
  return {
    flush,
    close: () => {
      clearInterval(timer);
      return flush();
    },
  };
}
