// Creates pauses that can be cut short, even by a wake-up just before them, and that end with their owner.

export interface Pause {
  /** From here on, a wake-up also shortens the next rest. */
  begin(): void;
  /** Waits at most this long, and not at all if woken since `begin` or ended. Reports whether it was woken. */
  rest(ms: number): Promise<boolean>;
  wake(): void;
}

/** @param signal ends every rest */
export function createPause(signal?: AbortSignal): Pause {
  const isEnded = (): boolean => signal?.aborted ?? false;
  let isWoken = isEnded();
  let goOn = (): void => undefined;
  const wake = (): void => {
    isWoken = true;
    goOn();
  };
  signal?.addEventListener('abort', wake, { once: true });
  return {
    begin: () => {
      isWoken = isEnded();
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
