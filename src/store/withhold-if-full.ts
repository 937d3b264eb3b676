// The rule for several deliveries of one call: if one finds its session full, none is stored. Used by both engines.

import type { DeliveryOutcome } from './mail-store.ts';

/**
 * Returns the outcomes to report if one is `full`, when the caller must undo those that were stored; undefined if none
 * is.
 */
export function withholdIfFull(outcomes: readonly DeliveryOutcome[]): DeliveryOutcome[] | undefined {
  if (!outcomes.some(({ outcome }) => outcome === 'full')) return undefined;
  return outcomes.map((one) => (one.outcome === 'stored' ? { outcome: 'withheld' } : one));
}
