// A wait that others can cut short, and that ends with what it belongs to.

export interface Pause {
  /** Wakes from here on count for the next rest. */
  begin(): void;
  /** At most so long; not at all when woken since `begin` or ended. Tells whether somebody woke it. */
  rest(ms: number): Promise<boolean>;
  wake(): void;
}

/** @param signal ends every rest */
export function createPause(signal: AbortSignal): Pause {
  let isWoken = false;
  let goOn = (): void => undefined;
  const wake = (): void => {
    isWoken = true;
    goOn();
  };
  signal.addEventListener('abort', wake, { once: true });
  return {
    begin: () => {
      isWoken = signal.aborted;
    },
    rest: (ms) => {
      if (isWoken) return Promise.resolve(true);
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          resolve(false);
        }, ms);
        goOn = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    },
    wake,
  };
}
