// Loaded into the service before its own modules by the test of its memory: SIGUSR1 lets ten minutes pass at once, with
// all timers due in them, and SIGUSR2 writes a snapshot of the heap. Not for threads, whose heaps are their own.

import { writeHeapSnapshot } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const jumpMs = 10 * 60_000;

if (isMainThread) {
  /** @type {Map<NodeJS.Timeout, () => void>} */
  const waiting = new Map();
  let passedMs = 0;
  /**
   * @template {(run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => NodeJS.Timeout} Timer
   * @param {Timer} timer
   * @returns {Timer}
   */
  const watch = (timer) => {
    /** @type {(run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => NodeJS.Timeout} */
    const watched = (run, ms = 0, ...given) => {
      const made = timer(run, ms, ...given);
      if (ms >= 1000 && ms <= jumpMs) waiting.set(made, () => run(...given));
      return made;
    };
    return Object.assign(/** @type {Timer} */ (watched), timer);
  };
  globalThis.setTimeout = watch(globalThis.setTimeout);
  globalThis.setInterval = watch(globalThis.setInterval);
  const { clearTimeout: clear } = globalThis;
  globalThis.clearTimeout = globalThis.clearInterval = (timer) => {
    waiting.delete(/** @type {NodeJS.Timeout} */ (timer));
    clear(timer);
  };
  const now = performance.now.bind(performance);
  performance.now = () => now() + passedMs;
  process.on('SIGUSR1', () => {
    passedMs += jumpMs;
    for (const run of [...waiting.values()]) run();
    waiting.clear();
  });
  process.on('SIGUSR2', () => {
    process.stderr.write(`snapshot ${writeHeapSnapshot(process.env['HEAP_FILE'])}\n`);
  });
}
