// Tracks how far the WAL has been overwritten. It restarts from its beginning after each complete checkpoint, and
// frames of an earlier round remain in the file until the current one reaches them. Fed by the checkpointer with the
// result of each checkpoint; does not access files.

/** A request to overwrite everything that the WAL contains at this time. */
export interface Erasure {
  /** When it was requested, ms, monotonic. */
  readonly since: number;
  /** Frames of the file that may be older. */
  frames: number;
  /** Whether the WAL has restarted since. */
  isNextRound: boolean;
  /** A checkpoint begun before the request cannot tell whether the WAL restarted before or after it. */
  look: 'none' | 'begun' | 'done';
}

const rateWindowMs = 900;

export class WalRounds {
  /** Frames in the current round at the last checkpoint. */
  #frames = 0;
  #windowAt: number;
  /** Frames per millisecond. */
  #rate = 0;
  #grownInWindow = 0;
  /** Frames in the file; unknown if it existed before. */
  #most: number;
  #erasure: Erasure | undefined;

  constructor(now: number, hasOldWal: boolean) {
    this.#windowAt = now;
    this.#most = hasOldWal ? Infinity : 0;
  }

  get erasure(): Erasure | undefined {
    return this.#erasure;
  }

  /** Requests that the WAL's current content be overwritten; a later request covers earlier ones. */
  ask(now: number): void {
    this.#erasure = {
      since: this.#erasure?.since ?? now,
      frames: this.#most,
      isNextRound: false,
      look: 'none',
    };
  }

  /** Call at the start of a checkpoint whose result is passed to `see`. */
  begin(): void {
    if (this.#erasure?.look === 'none') this.#erasure.look = 'begun';
  }

  /** Records how many frames a checkpoint saw. Returns the growth in frames, negative after a restart. */
  see(frames: number, now: number): number {
    const grown = frames - this.#frames;
    if (this.#erasure) this.#follow(this.#erasure, frames, grown);
    this.#measure(grown < 0 ? frames : grown, now);
    this.#frames = frames;
    this.#most = Math.max(this.#most, frames);
    return grown;
  }

  /** Call when the file was truncated. */
  clear(): void {
    this.#frames = 0;
    this.#most = 0;
    this.#erasure = undefined;
  }

  /** Reports whether the request has been met by overwriting. */
  get isOverwritten(): boolean {
    const { isNextRound = false, frames = 0 } = this.#erasure ?? {};
    return isNextRound && this.#frames >= frames;
  }

  settle(): void {
    this.#erasure = undefined;
  }

  /** Returns how many frames this round should have before the next one: `bound`, or more to overwrite what must go. */
  target(bound: number): number {
    const { isNextRound = false, frames = 0 } = this.#erasure ?? {};
    return isNextRound ? Math.max(bound, frames) : bound;
  }

  /** Returns the ms until the round has this many frames at the current rate. */
  msUntil(frames: number): number {
    return this.#rate === 0 ? Infinity : Math.max(0, frames - this.#frames) / this.#rate;
  }

  /** Accounts for growth, or a restart, between the last checkpoint and the request, which becomes visible only now. */
  #follow(erasure: Erasure, frames: number, grown: number): void {
    if (grown < 0 && erasure.look === 'done') erasure.isNextRound = true;
    else if (!erasure.isNextRound) erasure.frames = Math.max(erasure.frames, frames);
    if (erasure.look === 'begun') erasure.look = 'done';
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
