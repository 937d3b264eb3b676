// How far the WAL has been written over: it starts from its beginning after each complete checkpoint, and what an
// earlier round left behind where the present one has not come yet is still in the file. Fed by the checkpointer with
// what each checkpoint saw. Knows nothing of files.

/** That nothing of what the WAL held when it was asked for may stay. */
export interface Erasure {
  /** When it was asked for, ms, monotonic. */
  readonly since: number;
  /** Frames of the file that may be older. */
  frames: number;
  /** Whether the WAL has started anew since. */
  isNextRound: boolean;
  /** A look that began before the question cannot tell whether the WAL started anew before it or after it. */
  look: 'none' | 'begun' | 'done';
}

const rateWindowMs = 900;

export class WalRounds {
  /** Frames in the present round at the last look. */
  #frames = 0;
  #windowAt: number;
  /** Frames a millisecond. */
  #rate = 0;
  #grownInWindow = 0;
  /** Frames the file has; unknown in one that was there before. */
  #most: number;
  #erasure: Erasure | undefined;

  constructor(now: number, hasOldWal: boolean) {
    this.#windowAt = now;
    this.#most = hasOldWal ? Infinity : 0;
  }

  get erasure(): Erasure | undefined {
    return this.#erasure;
  }

  /** What is in the WAL now has to go; a later call covers what an earlier one asked for. */
  ask(now: number): void {
    this.#erasure = {
      since: this.#erasure?.since ?? now,
      frames: this.#most,
      isNextRound: false,
      look: 'none',
    };
  }

  /** A checkpoint begins, whose result `see` is told. */
  begin(): void {
    if (this.#erasure?.look === 'none') this.#erasure.look = 'begun';
  }

  /** A checkpoint saw so many frames. Returns the growth in frames, negative after a start from the beginning. */
  see(frames: number, now: number): number {
    const grown = frames - this.#frames;
    if (this.#erasure) this.#follow(this.#erasure, frames, grown);
    this.#measure(grown < 0 ? frames : grown, now);
    this.#frames = frames;
    this.#most = Math.max(this.#most, frames);
    return grown;
  }

  /** The file was cut to nothing. */
  clear(): void {
    this.#frames = 0;
    this.#most = 0;
    this.#erasure = undefined;
  }

  /** What was asked for has happened by itself. */
  get isOverwritten(): boolean {
    const { isNextRound = false, frames = 0 } = this.#erasure ?? {};
    return isNextRound && this.#frames >= frames;
  }

  settle(): void {
    this.#erasure = undefined;
  }

  /** Frames that the present round should have before the next one: `bound`, or more to come past what must go. */
  target(bound: number): number {
    const { isNextRound = false, frames = 0 } = this.#erasure ?? {};
    return isNextRound ? Math.max(bound, frames) : bound;
  }

  /** Until the round has so many frames at the present rate, ms. */
  msUntil(frames: number): number {
    return this.#rate === 0 ? Infinity : Math.max(0, frames - this.#frames) / this.#rate;
  }

  /** What had come between the last look and the question is seen only now, a start from the beginning too. */
  #follow(erasure: Erasure, frames: number, grown: number): void {
    if (grown < 0 && erasure.look === 'done') erasure.isNextRound = true;
    else if (!erasure.isNextRound) erasure.frames = Math.max(erasure.frames, frames);
    if (erasure.look === 'begun') erasure.look = 'done';
  }

  /** Two looks close together tell little. */
  #measure(grown: number, now: number): void {
    this.#grownInWindow += grown;
    const ms = now - this.#windowAt;
    if (ms < rateWindowMs) return;
    this.#rate = this.#grownInWindow / ms;
    this.#grownInWindow = 0;
    this.#windowAt = now;
  }
}
