// Creates pauses that can be cut short, even by a wake-up just before them. Used by the dispatcher.

export interface Pause {
  /** From here on, a wake-up also shortens the next rest. */
  begin(): void;
  /** Waits at most this long, and not at all if woken since `begin`. */
  rest(ms: number): Promise<void>;
  wake(): void;
}

export function createPause(): Pause {
  let isWoken = false;
  let goOn = (): void => undefined;
  return {
    begin: () => {
      isWoken = false;
    },
    rest: (ms) => {
      if (isWoken) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        goOn = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    wake: () => {
      isWoken = true;
      goOn();
    },
  };
}
