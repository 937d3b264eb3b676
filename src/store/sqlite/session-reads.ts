// Whether most deliveries of late were for sessions that had to be read from the file. Every batch of the other thread's
// empties the page cache of this one's connection, which makes such a read several times as dear: it is better then that
// this thread writes, too.

/** Reads for each delivery, from which on it does not pay. */
const dearFrom = 0.2;
/** What the last group counts beside all before it. */
const weight = 0.1;

export class SessionReads {
  #reads = 0;
  #share = 0;

  get areDear(): boolean {
    return this.#share > dearFrom;
  }

  noteRead(): void {
    this.#reads += 1;
  }

  noteGroup(deliveries: number): void {
    // What was read for others than senders does not count for long.
    const share = Math.min(1, this.#reads / deliveries);
    this.#share += weight * (share - this.#share);
    this.#reads = 0;
  }
}
