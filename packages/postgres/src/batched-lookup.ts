// Combines look-ups of the same turn into one statement: with a hundred senders, a round trip per recipient would cost
// more than the message.

export interface Lookup<Key, Found> {
  find(key: Key): Promise<Found | undefined>;
}

/** Returns the results in the order of the keys. */
type FindAll<Key, Found> = (keys: readonly Key[]) => Promise<readonly (Found | undefined)[]>;

const batchMax = 256;
const inFlightMax = 3;
/** Further callers are refused. */
const waitingMax = 20_000;

/** A key that waited longer is refused: its sender must have an answer within ten seconds. */
const longestWaitMs = 4000;

interface WaitingKey<Key, Found> {
  readonly key: Key;
  readonly since: number;
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

export class BatchedLookup<Key, Found> implements Lookup<Key, Found> {
  readonly #findAll: FindAll<Key, Found>;
  readonly #tooMany: () => Error;
  readonly #waiting: WaitingKey<Key, Found>[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(findAll: FindAll<Key, Found>, tooMany: () => Error) {
    this.#findAll = findAll;
    this.#tooMany = tooMany;
  }

  find(key: Key): Promise<Found | undefined> {
    if (this.#waiting.length >= waitingMax) return Promise.reject(this.#tooMany());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, since: performance.now(), resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= inFlightMax || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#flush();
    });
  }

  #refuseLate(): void {
    const oldest = performance.now() - longestWaitMs;
    const count = this.#waiting.findIndex(({ since }) => since >= oldest);
    const late = this.#waiting.splice(0, count === -1 ? this.#waiting.length : count);
    for (const { reject } of late) reject(this.#tooMany());
  }

  async #flush(): Promise<void> {
    this.#refuseLate();
    const batch = this.#waiting.splice(0, batchMax);
    if (batch.length === 0) return;
    this.#inFlight += 1;
    this.#schedule();
    try {
      const found = await this.#findAll(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, at) => {
        resolve(found[at]);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#inFlight -= 1;
      this.#schedule();
    }
  }
}
