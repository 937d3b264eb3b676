// A wait between tries that can be cut short or aborted.

export interface Nap {
  /** Resolves after the time, at `wake()` or when the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  wake(): void;
}

export function createNap(): Nap {
  const sleepers = new Set<() => void>();
  return {
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          sleepers.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        sleepers.add(end);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),
    wake: () => {
      for (const end of [...sleepers]) end();
    },
  };
}
