// Brings the WAL to disk beside the writer's thread. SQLite's own sync would hold the thread for as long as the disk
// takes; the file is the same one, so a sync through this descriptor covers what SQLite wrote before it was asked for.
// Made by open-sqlite-store.ts. Only the WAL may be opened so: closing a descriptor of the database file or of its
// -shm would drop SQLite's locks (fcntl(2)), which the WAL has none of.

import { closeSync, fdatasync, openSync } from 'node:fs';

export class WalSync {
  readonly #descriptor: number;

  /** @throws Error when the WAL is not there: the database has to have been read once */
  constructor(databaseFile: string) {
    this.#descriptor = openSync(`${databaseFile}-wal`, 'r');
  }

  sync(callback: (error: Error | null) => void): void {
    fdatasync(this.#descriptor, callback);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
