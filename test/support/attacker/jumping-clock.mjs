// Loaded into the service before its own modules by the test of its memory: SIGUSR1 lets ten minutes pass at once, with
// all timers due in them, in every thread; SIGUSR2 writes a snapshot of the heap of each thread.

import { createWriteStream } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pipeline } from 'node:stream/promises';
import { writeHeapSnapshot } from 'node:v8';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const jumpMs = 10 * 60_000;
/** @type {Map<NodeJS.Timeout, () => void>} */
const waiting = new Map();
let passedMs = 0;

/**
 * @template {(run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => NodeJS.Timeout} Timer
 * @param {Timer} timer
 * @param {boolean} repeats
 * @returns {Timer}
 */
function watch(timer, repeats) {
  /** @type {(run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => NodeJS.Timeout} */
  const watched = (run, ms = 0, ...given) => {
    const due = () => {
      if (!repeats) waiting.delete(made);
      run(...given);
    };
    const made = timer(due, ms);
    if (ms >= 1000 && ms <= jumpMs) waiting.set(made, due);
    return made;
  };
  return Object.assign(/** @type {Timer} */ (watched), timer);
}

/** In a function, or the compiler would take the assignments for declarations. */
function watchAll() {
  globalThis.setTimeout = watch(globalThis.setTimeout, false);
  globalThis.setInterval = watch(globalThis.setInterval, true);
  const { clearTimeout: clear } = globalThis;
  globalThis.clearTimeout = globalThis.clearInterval = (timer) => {
    waiting.delete(/** @type {NodeJS.Timeout} */ (timer));
    clear(timer);
  };
  const now = performance.now.bind(performance);
  performance.now = () => now() + passedMs;
}

function jump() {
  passedMs += jumpMs;
  // Some have to be due twice: what they find is only then old.
  for (let time = 0; time < 2; time += 1) for (const run of [...waiting.values()]) run();
}

watchAll();
const channel = new BroadcastChannel('jumping clock');
if (isMainThread) {
  const threads = createRequire(import.meta.url)('node:worker_threads');
  /** @type {Set<import('node:worker_threads').Worker>} */
  const workers = new Set();
  threads.Worker = class extends threads.Worker {
    /** @param {...unknown} given */
    constructor(...given) {
      super(...given);
      workers.add(/** @type {any} */ (this));
      this.once('exit', () => workers.delete(/** @type {any} */ (this)));
    }
  };
  syncBuiltinESMExports();
  const file = String(process.env['HEAP_FILE']);
  process.on('SIGUSR1', () => {
    channel.postMessage('jump');
    jump();
  });
  process.on('SIGUSR2', () => {
    void (async () => {
      let count = 0;
      for (const worker of workers) {
        count += 1;
        await pipeline(await worker.getHeapSnapshot(), createWriteStream(`${file}.${count}`));
      }
      process.stderr.write(`snapshot ${writeHeapSnapshot(file)} and of ${count} threads\n`);
    })();
  });
} else {
  channel.onmessage = jump;
}
channel.unref();
