// The window in which a signed request is accepted: later its signature proves nothing.

import { unauthorized } from '../intake.ts';

/** How far clocks may differ. */
export const toleranceMs = 5 * 60_000;

/** @throws InboundRefusal unless it is at most `windowMs` old, and not from the future */
export function checkAge(at: number, now: number, windowMs: number): void {
  if (!Number.isFinite(at) || at > now + toleranceMs || at < now - windowMs) {
    throw unauthorized('The timestamp is too old, or from the future: check the clocks.');
  }
}
