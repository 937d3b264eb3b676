// Reads the whole writable memory of a running process, heap and everything off it. Used by the tests of what the
// memory reveals.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { codeOf } from '../../../packages/system-errors/src/error-code.ts';

const line = /^([0-9a-f]+)-([0-9a-f]+) rw/;
const pieceBytes = 64 * 1024 * 1024;
/** More than anything that is searched for, so that nothing is missed between two pieces. */
const overlapBytes = 4096;

/** Yields the mappings, in pieces. The process must belong to this user. */
function* readProcessMemory(pid: number): Generator<Buffer> {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const text of readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')) {
      const [, from, to] = line.exec(text) ?? [];
      if (from === undefined || to === undefined) continue;
      const end = Number.parseInt(to, 16);
      for (let at = Number.parseInt(from, 16); at < end; at += pieceBytes) {
        const piece = Buffer.alloc(Math.min(pieceBytes + overlapBytes, end - at));
        yield piece.subarray(0, readPiece(memory, piece, at));
      }
    }
  } finally {
    closeSync(memory);
  }
}

/** Some mappings, of devices and of the kernel, cannot be read, or end early. */
function readPiece(memory: number, piece: Buffer, at: number): number {
  let read = 0;
  while (read < piece.length) {
    try {
      const count = readSync(memory, piece, read, piece.length - read, at + read);
      if (count === 0) break;
      read += count;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EIO' || code === 'EFAULT') break;
      throw error;
    }
  }
  return read;
}

/** Returns the names of those that are anywhere in the memory. */
export function findInMemory(pid: number, needles: ReadonlyMap<string, Buffer>): string[] {
  const found = new Set<string>();
  for (const piece of readProcessMemory(pid)) {
    for (const [name, bytes] of needles) {
      if (!found.has(name) && piece.includes(bytes)) found.add(name);
    }
  }
  return [...found].sort();
}
