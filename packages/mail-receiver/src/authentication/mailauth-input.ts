// Prepares a message so that mailauth processes it in linear time: in pieces that end with a line (it rescans an
// unfinished line with each piece), and with a bounded number of signatures. Used by check-authentication after
// header-check has bounded the header. Only the names of surplus signatures are changed.

import { Readable } from 'node:stream';

import { signaturesMax } from '../authentication.ts';

const pieceMinBytes = 64 * 1024;
const lineFeed = 10;
const signatureName = /^dkim-signature[ \t]*:/i;

/** Measures the processor time of the calling thread. */
export interface ProcessorClock {
  /** Only differences are meaningful. */
  readMs(): number;
  close(): void;
}

export interface PieceOptions {
  /** In the thread's processor time. */
  readonly budgetMs: number;
  readonly openClock: () => ProcessorClock;
  /** Called when the message has been consumed or abandoned. */
  readonly onEnd: () => void;
}

/** The check would take more time than a message is allowed. */
export class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError';
}

/** Reports whether a line of the header begins like a field of this name, given in lower case. */
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

/** Returns the message as a stream that fails with TooCostlyError once the thread has worked `budgetMs` on it. */
export function toPieces(raw: Uint8Array, { budgetMs, openClock, onEnd }: PieceOptions): Readable {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  async function* pieces(): AsyncGenerator<Buffer> {
    const clock = openClock();
    const startedMs = clock.readMs();
    try {
      for (let at = 0; at < bytes.length;) {
        // Let other messages of the thread run between two pieces.
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
