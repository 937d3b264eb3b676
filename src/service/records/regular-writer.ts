// Writes what was counted in memory, once in a while and one write at a time. Counts whose write failed wait for the next:
// the store may be away for a moment. A write that the store had done in part, or in full, then counts twice.

export interface RegularWriter {
  /** Writes now, after a write that is under way. Never rejects. */
  flush(): Promise<void>;
  /** Writes for the last time. */
  close(): Promise<void>;
}

export interface Counted {
  readonly count: number;
}

export interface RegularWriterOptions<E extends Counted> {
  readonly everyMs: number;
  /** Returns what was counted since the last call. */
  readonly take: () => readonly E[];
  /** Entries of the same key are added up, with the rest of the newer one. */
  readonly keyOf: (entry: E) => string;
  /** Called with one entry at least. */
  readonly write: (entries: readonly E[]) => Promise<void>;
  /** Called after each write, and where there was nothing to write. */
  readonly sweep: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Entries that wait; those of new keys are dropped beyond. */
export const waitingMax = 2000;

export function writeRegularly<E extends Counted>(options: RegularWriterOptions<E>): RegularWriter {
  const { everyMs, take, keyOf, write, sweep, onError } = options;
  const waiting = new Map<string, E>();
  let writing = Promise.resolve();

  function wait(entries: readonly E[]): void {
    for (const entry of entries) {
      const key = keyOf(entry);
      const earlier = waiting.get(key);
      if (earlier) waiting.set(key, { ...entry, count: earlier.count + entry.count });
      else if (waiting.size < waitingMax) waiting.set(key, entry);
    }
  }

  async function writeAll(): Promise<void> {
    wait(take());
    if (waiting.size > 0) await write([...waiting.values()]);
    waiting.clear();
    await sweep();
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
