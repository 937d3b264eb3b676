// Whether the database answers. A lost connection alone says little, so a suspicion is checked by a probe of its own;
// while probes fail, callers are refused at once instead of waiting one after the other. Owned by open-postgres-store.

import { setTimeout as delay } from 'node:timers/promises';

export interface ReachabilityOptions {
  /** Rejects when the database does not answer or cannot be written. */
  readonly probe: () => Promise<void>;
  /** Called with each change. */
  readonly onChange: (isReachable: boolean, error: unknown) => void;
}

/** Between probes while it does not answer: it is back within this of being back. */
const probeIntervalMs = 250;

export class Reachability {
  readonly #options: ReachabilityOptions;
  #isReachable = true;
  #probing: Promise<void> | undefined;
  #isClosed = false;
  #error: unknown;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ReachabilityOptions) {
    this.#options = options;
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** Why not; undefined when it is. */
  get error(): unknown {
    return this.#isReachable ? undefined : this.#error;
  }

  /** Something went wrong that an outage would explain. */
  suspect(): void {
    if (!this.#isClosed) this.#probing ??= this.#probe();
  }

  /** Resolves when no probe is under way, or after `longestMs`; whether it answers then. */
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
    this.#error = error;
    if (isChange && !this.#isClosed) this.#options.onChange(isReachable, error);
  }
}
