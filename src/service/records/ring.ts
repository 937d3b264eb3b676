// A bounded list of the latest entries, for what is noted of traffic that strangers cause.

/** As many entries as fit, each new one in the place of the oldest. */
export class Ring<Entry> {
  readonly #entries: Entry[] = [];
  readonly #size: number;
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  push(entry: Entry): void {
    this.#entries[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#size;
  }

  newestFirst(): Entry[] {
    const isFull = this.#entries.length === this.#size;
    const oldest = isFull ? this.#next : 0;
    return [...this.#entries.slice(oldest), ...this.#entries.slice(0, oldest)].reverse();
  }
}
