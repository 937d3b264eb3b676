// Tracks whether statements succeed: a database that answers a probe may still hold up everything else, for instance
// while a table is locked.

import { faultKindOf, isOfMachineBehind } from './fault-kind.ts';

export interface StatementHealthOptions {
  /** Called on each change. */
  readonly onChange: (isServing: boolean, error: unknown) => void;
  /** The statement whose success shows that an outage is over. */
  readonly proof?: string;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

/** A single failure may be an accident of one statement. */
const failuresMin = 2;
/** A statement that is no longer tried says nothing. */
const believedMs = 15_000;

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

export class StatementHealth {
  readonly #onChange: StatementHealthOptions['onChange'];
  readonly #proof: string | undefined;
  readonly #clock: () => number;
  /** By name, those that failed since they last succeeded. */
  readonly #failures = new Map<string, Failures>();
  #isServing = true;
  #isOut = false;

  constructor({ onChange, proof, clock = () => performance.now() }: StatementHealthOptions) {
    this.#onChange = onChange;
    this.#proof = proof;
    this.#clock = clock;
  }

  /** False while a statement has failed repeatedly for want of an answer, time, room or permission. */
  get isServing(): boolean {
    this.#update();
    return this.#isServing;
  }

  recordSuccess(name: string): void {
    const isOver = this.#isOut && name === this.#proof;
    if (isOver) this.#failures.clear();
    if (isOver) this.#isOut = false;
    if (this.#failures.delete(name) || isOver) this.#update();
  }

  /** Ignores errors that say nothing about the database's state. */
  recordError(name: string, error: unknown): void {
    const kind = faultKindOf(error);
    // Other machines may serve.
    if (isOfMachineBehind(error)) return;
    if (kind !== 'busy' && kind !== 'lost') return;
    const count = (this.#failures.get(name)?.count ?? 0) + 1;
    this.#failures.set(name, { count, lastAt: this.#clock() });
    this.#update(error);
  }

  /** Call it when the database cannot be reached. */
  recordOutage(error: unknown): void {
    this.#isOut = true;
    this.#update(error);
  }

  #update(error?: unknown): void {
    const since = this.#clock() - believedMs;
    for (const [name, { lastAt }] of this.#failures) if (lastAt < since) this.#failures.delete(name);
    const isServing = !this.#isOut && [...this.#failures.values()].every(({ count }) => count < failuresMin);
    if (isServing === this.#isServing) return;
    this.#isServing = isServing;
    this.#onChange(isServing, error);
  }
}
