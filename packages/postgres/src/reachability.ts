// Tracks whether the database responds. A lost connection alone says little, so a separate probe checks each
// suspicion; while probes fail, callers are refused at once instead of timing out one by one.

import { setTimeout as delay } from 'node:timers/promises';

export interface ReachabilityOptions {
  /** Rejects when the database does not respond or is read-only. */
  readonly probe: () => Promise<void>;
  /** Called on each change. */
  readonly onChange: (isReachable: boolean, error: unknown) => void;
}

/** Interval of probes during an outage, hence the longest delay until its end is noticed. */
const probeIntervalMs = 250;

export class Reachability {
  readonly #options: ReachabilityOptions;
  #isReachable = true;
  #probing: Promise<void> | undefined;
  #isClosed = false;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ReachabilityOptions) {
    this.#options = options;
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** Called on an error that an outage would explain. */
  suspect(): void {
    if (!this.#isClosed) this.#probing ??= this.#probe();
  }

  /** Resolves when no probe is running, or after `longestMs`, to whether the database responds. */
  async settle(longestMs: number): Promise<boolean> {
    if (this.#probing) {
      await Promise.race([
        new Promise<void>((resolve) => this.#waiting.push(resolve)),
        delay(longestMs, undefined, { ref: false }),
      ]);
    }
    return this.#isReachable && !this.#isClosed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#probing;
  }

  async #probe(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#options.probe();
        this.#set(true, undefined);
        break;
      } catch (error) {
        this.#set(false, error);
        await delay(probeIntervalMs, undefined, { ref: false });
      }
    }
    this.#probing = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #set(isReachable: boolean, error: unknown): void {
    const isChange = this.#isReachable !== isReachable;
    this.#isReachable = isReachable;
    if (isChange && !this.#isClosed) this.#options.onChange(isReachable, error);
  }
}
