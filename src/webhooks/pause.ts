// A rest that can be cut short, without missing what happened just before it. Used by the dispatcher.

export interface Pause {
  /** Wakes from here on count for the next rest. */
  begin(): void;
  /** At most so long; not at all when woken since `begin`. */
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
