// How far V8's heaps may grow between two full collections, for all threads of the process.

import { setFlagsFromString } from 'node:v8';

/**
 * Received bytes lie outside the heap, but count towards its next full collection, which marks the whole heap for them:
 * with V8's own factor of about 1.3, ten times in 1,000 messages of 75 KB. The next scavenge frees them, and three times
 * what lives is enough to wait for it.
 */
export function growFreely(): void {
  setFlagsFromString('--heap-growing-percent=200');
}

/** V8's own factor, for work that takes much memory. */
export function growSparingly(): void {
  setFlagsFromString('--heap-growing-percent=0');
}
