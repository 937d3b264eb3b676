// A message in the form in which mailauth's time for it is linear: pieces that end with a line (it looks again at what
// is left of a line with each piece), signatures of a bounded number. Used by check-authentication, after header-check
// has bounded the header. Its bytes stay as they are but for the names of signatures that are too many.

import { Readable } from 'node:stream';

import { signaturesMax } from '../domain/authentication.ts';
import { findOwnThread, openThreadClock } from '../threads/thread-clock.ts';

const pieceMinBytes = 64 * 1024;
const lineFeed = 10;
const signatureName = /^dkim-signature[ \t]*:/i;

/** A check that would take longer than a message is worth. */
export class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError';
}

/** Whether a line of the header begins like a field of this name, in lower case. */
export function hasLineOf(name: string, raw: Uint8Array, headerEnd: number): boolean {
  const head = Buffer.from(raw.buffer, raw.byteOffset, headerEnd).toString('latin1');
  return new RegExp(`^${name}\\s*:`, 'im').test(head);
}

/** Renames all but the first signatures in place; returns how many there were. */
export function limitSignatures(raw: Uint8Array, headerEnd: number): number {
  const head = Buffer.from(raw.buffer, raw.byteOffset, headerEnd);
  let count = 0;
  for (let at = 0; at < headerEnd;) {
    if (signatureName.test(head.toString('latin1', at, Math.min(at + 32, headerEnd)))) {
      count += 1;
      if (count > signaturesMax) head.write('x', at, 'latin1');
    }
    const end = head.indexOf(lineFeed, at);
    at = end < 0 ? headerEnd : end + 1;
  }
  return count;
}

/**
 * The message as a stream that gives up with TooCostlyError when the thread has worked `budgetMs` since it began.
 * @param onEnd told when it has been taken, or given up
 */
export function toPieces(raw: Uint8Array, budgetMs: number, onEnd: () => void): Readable {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  async function* pieces(): AsyncGenerator<Buffer> {
    const clock = openThreadClock(findOwnThread());
    const startedMs = clock.readMs();
    try {
      for (let at = 0; at < bytes.length;) {
        // Other messages of the thread have their turn between two pieces.
        await new Promise((resolve) => setImmediate(resolve));
        if (clock.readMs() - startedMs > budgetMs) throw new TooCostlyError('too costly to check');
        const end = bytes.indexOf(lineFeed, at + pieceMinBytes);
        const next = end < 0 ? bytes.length : end + 1;
        yield bytes.subarray(at, next);
        at = next;
      }
    } finally {
      clock.close();
      onEnd();
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}
