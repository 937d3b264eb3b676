// A delivery that waits in the group commit, to be written by either thread.

import type { DeliveryThread } from './delivery-thread.ts';

/** A write that waits for its commit. */
export interface Waiting {
  /** Runs inside a transaction; may run twice, so it must have no effect but on the database. */
  work(): unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** A delivery: a write that the thread for deliveries can make as well as this one. */
export interface DeliveryWrite<T> {
  /** As any write, in this thread. */
  work(): T;
  /** Of meta and raw together. */
  readonly bytes: number;
  /**
   * Adds it to what the thread is about to write; false when `work` has to see. What this changes in memory `onRollback`
   * undoes.
   */
  addTo(thread: DeliveryThread): boolean;
  /** The thread has it on disk: what `addTo` changed in memory holds, and what was read since may not. */
  onLanded(): void;
  /** What `deliver` resolves with once the thread has it on disk. */
  toResult(): T;
  /** The thread has left it out: what `addTo` changed in memory does not hold. */
  onLeftOut(): void;
}

export class WaitingDelivery implements Waiting {
  delivery: DeliveryWrite<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;

  constructor(delivery: DeliveryWrite<unknown>, { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>) {
    this.delivery = delivery;
    this.resolve = resolve;
    this.reject = reject;
  }

  work(): unknown {
    return this.delivery.work();
  }

  /**
   * Answers, and lets go of everything: what has become old for the garbage collector while the other thread wrote would
   * keep what comes after it, twice as much as without this.
   */
  land(): void {
    const { delivery, resolve } = this;
    this.delivery = landed;
    this.resolve = doNothing;
    this.reject = doNothing;
    delivery.onLanded();
    resolve(delivery.toResult());
  }
}

function doNothing(): void {
  // Nobody waits any more.
}

const landed: DeliveryWrite<unknown> = {
  work: doNothing,
  bytes: 0,
  addTo: () => false,
  onLanded: doNothing,
  toResult: doNothing,
  onLeftOut: doNothing,
};
