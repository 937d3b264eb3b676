// A timer that can be held, for what a reader may be about to use.

export interface Countdown {
  /** Stops the time, and gives at least `leastMs` when it goes on. */
  hold(): void;
  release(): void;
  end(): void;
}

/** Enough to move from reading to another key or place. */
const leastMs = 2000;

export function startCountdown(ms: number, done: () => void): Countdown {
  let leftMs = ms;
  let startedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(done, ms);
  return {
    hold: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      leftMs = Math.max(leastMs, leftMs - (Date.now() - startedAt));
    },
    release: () => {
      if (timer !== undefined) return;
      startedAt = Date.now();
      timer = setTimeout(done, leftMs);
    },
    end: () => {
      clearTimeout(timer);
    },
  };
}
