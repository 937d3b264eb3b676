// Rate limiters for clients by their network (client-network.ts), which together have ten times the limit of one in a
// /24 or /48: addresses are cheap for the owner of a whole block.

import { toClientNetwork, toWideNetwork } from './client-network.ts';
import { GcraLimiter, type Rate, type RateDecision } from './gcra-limiter.ts';
import { wideFactor } from './network-shares.ts';

export class NetworkLimiter {
  readonly #own: GcraLimiter;
  readonly #wide: GcraLimiter;

  /** `clock`: monotonic milliseconds. */
  constructor(rate: Rate, clock?: () => number) {
    this.#own = new GcraLimiter(rate, clock);
    this.#wide = new GcraLimiter({ ...rate, count: rate.count * wideFactor }, clock);
  }

  /**
   * Counts one event of an address or network if it is allowed. A refused one does not count against its neighbours.
   */
  take(address: string): RateDecision {
    const own = this.#own.take(toClientNetwork(address));
    return own.isAllowed ? tighter(own, this.#wide.take(toWideNetwork(address))) : own;
  }

  /** Returns what `take` would, without counting. */
  look(address: string): RateDecision {
    return tighter(this.#own.look(toClientNetwork(address)), this.#wide.look(toWideNetwork(address)));
  }

  /** Counts one event of a network within a wider one, or returns which of the two has spent its rate. */
  spend(network: string, wide: string): 'network' | 'wide' | undefined {
    if (this.#wide.isSpent(wide)) return 'wide';
    if (!this.#own.take(network).isAllowed) return 'network';
    this.#wide.take(wide);
    return undefined;
  }

  /** Reports whether `spend` would refuse, without counting or allocating: called for every recipient. */
  isSpent(network: string, wide: string): boolean {
    return this.#own.isSpent(network) || this.#wide.isSpent(wide);
  }
}

function tighter(one: RateDecision, other: RateDecision): RateDecision {
  return isTighter(other, one) ? other : one;
}

export function isTighter(one: RateDecision, other: RateDecision): boolean {
  if (one.isAllowed !== other.isAllowed) return !one.isAllowed;
  return one.isAllowed ? one.remaining < other.remaining : one.retryAfterMs > other.retryAfterMs;
}
