// Measures how fast the WAL grows, so that the checkpointer looks again when it is due. Fed with the result of each
// checkpoint; does not access files.

const rateWindowMs = 900;

export class WalGrowth {
  /** Frames at the last checkpoint; the WAL begins again after a complete one. */
  #frames = 0;
  #windowAt: number;
  /** Frames per millisecond. */
  #rate = 0;
  #grownInWindow = 0;

  constructor(now: number) {
    this.#windowAt = now;
  }

  /** Records how many frames a checkpoint saw. Returns the growth in frames, negative after a restart. */
  see(frames: number, now: number): number {
    const grown = frames - this.#frames;
    this.#measure(grown < 0 ? frames : grown, now);
    this.#frames = frames;
    return grown;
  }

  /** Returns the ms until the WAL has this many frames at the current rate. */
  msUntil(frames: number): number {
    return this.#rate === 0 ? Infinity : Math.max(0, frames - this.#frames) / this.#rate;
  }

  /** Measures over a window, because two checkpoints close together give no useful rate. */
  #measure(grown: number, now: number): void {
    this.#grownInWindow += grown;
    const ms = now - this.#windowAt;
    if (ms < rateWindowMs) return;
    this.#rate = this.#grownInWindow / ms;
    this.#grownInWindow = 0;
    this.#windowAt = now;
  }
}
