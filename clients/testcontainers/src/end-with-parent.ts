// Preloaded into the service (`node --import`): ends it when the test run does, in whatever way, since the run holds
// the other end of standard input.

import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.on('error', () => process.stdin.destroy());
  process.stdin.resume();
  // By itself it does not keep the process alive.
  (process.stdin as Partial<{ unref: () => void }>).unref?.();
}
