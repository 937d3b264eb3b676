// Loaded into the service before its own code (`node --import`): it ends when the test run does, however that ends. The
// run holds the other end of standard input.

import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.on('error', () => process.stdin.destroy());
  process.stdin.resume();
  // Alone it keeps nothing alive.
  (process.stdin as Partial<{ unref: () => void }>).unref?.();
}
