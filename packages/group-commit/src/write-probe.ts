// Finds out whether the disk takes writes after it has refused one, for readiness: a service that is not ready gets no
// mail whose fate would show that the disk has recovered. Nothing is written while nothing is refused.

import type { Database } from './driver.mjs';
import type { GroupCommit } from './group-commit.ts';
import type { WriteFaults } from './writer.ts';

const intervalMs = 2000;

export class WriteProbe {
  readonly #write: () => Promise<unknown>;
  readonly #faults: Pick<WriteFaults, 'isRefused'>;
  #timer: NodeJS.Timeout | undefined;
  #isRefused = false;
  #isProbing = false;
  #isClosed = false;

  /** @param write commits a write, and rejects as every other would */
  constructor(write: () => Promise<unknown>, faults: Pick<WriteFaults, 'isRefused'>) {
    this.#write = write;
    this.#faults = faults;
  }

  /** Whether the last probe was refused. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** To be called when any write was refused: others may be taken still, such as smaller ones. */
  recordRefusal(): void {
    if (this.#isProbing || this.#isClosed) return;
    this.#isProbing = true;
    void this.#probe();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #probe(): Promise<void> {
    try {
      await this.#write();
      this.#isRefused = false;
    } catch (error) {
      // Any other error says nothing about the disk, or ends the process.
      this.#isRefused = this.#faults.isRefused(error);
    }
    this.#isProbing = this.#isRefused && !this.#isClosed;
    if (!this.#isProbing) return;
    this.#timer = setTimeout(() => void this.#probe(), intervalMs).unref();
  }
}

/** Commits the page of the file's header as it is: the smallest write, in every database. */
export function writeHeader(database: Database.Database, commits: GroupCommit): Promise<unknown> {
  return commits.write(() => {
    const version = String(database.pragma('user_version', { simple: true }));
    return database.pragma(`user_version = ${version}`);
  });
}
