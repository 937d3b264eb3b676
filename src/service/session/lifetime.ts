// Checks a requested lifetime against the operator's bounds. Used by create-session and extend-session.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { SessionLimits } from './session-limits.ts';

/** @throws MayflyError invalid_parameter */
export function parseLifetimeMs(limits: SessionLimits, seconds: number | undefined): number {
  const { lifetimeMinSeconds: min, lifetimeMaxSeconds: max, totalMaxSeconds } = limits;
  if (seconds !== undefined && (seconds < min || seconds > max)) {
    throw new MayflyError('invalid_parameter', `The lifetime must be ${min} to ${max} seconds.`, {
      parameter: 'lifetime',
    });
  }
  return Math.min(seconds ?? Math.min(limits.lifetimeDefaultSeconds, max), totalMaxSeconds) * 1000;
}
