// Limits how many tasks run at once; the others wait in order.

export interface Semaphore {
  /** Tasks that wait for a place. */
  readonly waiting: number;
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createSemaphore(atOnce: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    get waiting() {
      return waiting.length;
    },
    async run(task) {
      if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await task();
      } finally {
        // Pass the place on directly, so that no newcomer overtakes.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
