// The shares of an address's networks in a budget: its own, and the wider one around it (a /24 or /48), of which a
// single customer may own every address. One rule for all listeners.

import { toClientNetwork, toWideNetwork } from './client-network.ts';
import type { Allotment } from './shared-budget.ts';

/** A /24 or /48 may have this many times the limit of one of its networks. */
export const wideFactor = 10;

/**
 * Returns the shares of the network of `address`, which may have `max`, and of the wider one; none for no limit.
 * `address` may be a network in the form of toClientNetwork.
 */
export function networkShares(address: string, max: number, factor = wideFactor): readonly Allotment[] {
  if (max === Infinity) return [];
  return [
    { key: toClientNetwork(address), max },
    { key: toWideNetwork(address), max: max * factor },
  ];
}
