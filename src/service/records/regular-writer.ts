// Writes what was counted in memory, once in a while and one write at a time.

export interface RegularWriter {
  /** Writes now, after a write that is under way. Never rejects. */
  flush(): Promise<void>;
  /** Writes for the last time. */
  close(): Promise<void>;
}

export interface RegularWriterOptions {
  readonly everyMs: number;
  readonly write: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export function writeRegularly({ everyMs, write, onError }: RegularWriterOptions): RegularWriter {
  let writing = Promise.resolve();
  function flush(): Promise<void> {
    writing = writing.then(write).catch(onError);
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
