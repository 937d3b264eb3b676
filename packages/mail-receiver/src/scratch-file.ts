// A file for data that is too large for memory and not accepted yet. Encrypted with a key that exists only in this
// process, and unlinked once opened, so that nothing remains readable after any failure, kill or restart. Used while
// large messages arrive.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// Counter mode allows reading any part; data that is not accepted yet needs no authentication.
const algorithm = 'aes-256-ctr';
const blockBytes = 16;
const readBytes = 256 * 1024;

export class ScratchFile {
  readonly #fd: number;
  readonly #key = randomBytes(32);
  readonly #cipher = createCipheriv(algorithm, this.#key, Buffer.alloc(blockBytes));
  #sizeBytes = 0;
  #isOpen = true;

  /** @throws Error when no file can be made in the folder */
  constructor(folder: string) {
    const path = join(folder, `.scratch-${randomBytes(12).toString('hex')}`);
    this.#fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** @throws Error when the disk is full (`ENOSPC`) */
  append(bytes: Uint8Array): void {
    const sealed = this.#cipher.update(bytes);
    for (let at = 0; at < sealed.length;) {
      at += writeSync(this.#fd, sealed, at, sealed.length - at, this.#sizeBytes + at);
    }
    this.#sizeBytes += sealed.length;
  }

  /** Yields what was appended, in pieces of at most 256 KiB. May be called again. */
  *pieces(): Generator<Buffer> {
    const decipher = createDecipheriv(algorithm, this.#key, Buffer.alloc(blockBytes));
    for (let at = 0; at < this.#sizeBytes;) {
      const sealed = Buffer.allocUnsafe(Math.min(readBytes, this.#sizeBytes - at));
      const got = readSync(this.#fd, sealed, 0, sealed.length, at);
      if (got === 0) throw new Error('The scratch file is shorter than what was written.');
      at += got;
      yield decipher.update(sealed.subarray(0, got));
    }
  }

  /** Frees the space; may be called twice. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }
}
