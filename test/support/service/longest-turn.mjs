// Loaded before the service by main-thread.test.ts: measures the processor time of the longest turn of its event loop,
// by the kernel's count for the thread, so that a busy machine changes nothing. SIGUSR2 writes and resets it.
import { openSync, readSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['LONGEST_TURN_FILE'];

if (isMainThread && file !== undefined) {
  const schedstat = openSync('/proc/thread-self/schedstat', 'r');
  const buffer = Buffer.alloc(64);
  const readMs = () =>
    parseInt(buffer.toString('latin1', 0, readSync(schedstat, buffer, 0, 64, 0)), 10) / 1e6;
  let [lastMs, longestMs, reports] = [readMs(), 0, 0];
  const look = () => {
    const now = readMs();
    longestMs = Math.max(longestMs, now - lastMs);
    lastMs = now;
    setImmediate(look).unref();
  };
  look();
  process.on('SIGUSR2', () => {
    reports += 1;
    writeFileSync(file, `${reports} ${longestMs}`);
    longestMs = 0;
  });
}
