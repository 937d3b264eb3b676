// Rate limiters for clients by their network (src/domain/client-network.ts), which together have ten times the limit
// of one in a /24 or /48: addresses are cheap for the owner of a whole block.

import { toClientNetwork, toWideNetwork } from '../domain/client-network.ts';
import { GcraLimiter, type Rate, type RateDecision } from './gcra-limiter.ts';

const wideFactor = 10;

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
}

function tighter(one: RateDecision, other: RateDecision): RateDecision {
  return isTighter(other, one) ? other : one;
}

export function isTighter(one: RateDecision, other: RateDecision): boolean {
  if (one.isAllowed !== other.isAllowed) return !one.isAllowed;
  return one.isAllowed ? one.remaining < other.remaining : one.retryAfterMs > other.retryAfterMs;
}
