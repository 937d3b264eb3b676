// Lets so many tasks run at once; the others wait in order. Used where a burst would overfill what does the work.

export interface Turnstile {
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createTurnstile(atOnce: number): Turnstile {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(task) {
      if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await task();
      } finally {
        // The place goes straight to the next one, so that nobody overtakes.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
