import { expect, it } from 'vitest';

import { testLimits } from '../../../test/support/service/test-deps.ts';
import { parseLifetimeMs } from './lifetime.ts';

it.each([
  [undefined, 3_600_000],
  [60, 60_000],
  [86_400, 86_400_000],
])('takes %s s', (seconds, ms) => {
  expect(parseLifetimeMs(testLimits, seconds)).toBe(ms);
});

it.each([-1, 0, 59, 86_401, 1e15])('refuses %d s and names the bounds', (seconds) => {
  expect(() => parseLifetimeMs(testLimits, seconds)).toThrow(
    expect.objectContaining({
      code: 'invalid_parameter',
      parameter: 'lifetime',
      publicMessage: 'The lifetime must be 60 to 86400 seconds.',
    }),
  );
});

it('gives the default also where it is below what a caller may ask for', () => {
  expect(parseLifetimeMs({ ...testLimits, lifetimeDefaultSeconds: 5 }, undefined)).toBe(5000);
});

it('gives no more than a caller may ask for where the default is above it', () => {
  expect(parseLifetimeMs({ ...testLimits, lifetimeMaxSeconds: 600 }, undefined)).toBe(600_000);
});

it('is cut to the total that a session may live', () => {
  const limits = { ...testLimits, totalMaxSeconds: 100 };
  expect(parseLifetimeMs(limits, undefined)).toBe(100_000);
  expect(parseLifetimeMs(limits, 86_400)).toBe(100_000);
});
