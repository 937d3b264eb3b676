// Request ids: random, so that they do not reveal how many there were. Each is in the answer and in its log line.

import { randomFillSync } from 'node:crypto';

const idBytes = 12;
// Drawn a thousand at a time: a system call for each would cost more than the rest of a small request's headers.
const pool = Buffer.alloc(idBytes * 1024);
let used = pool.length;

export function createRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString('base64url', used - idBytes, used);
}
