// How much of a fault test runs: `npm run test:all` gives it seconds, `npm run test:faults` what the figures in
// docs/reliability.md come from. Full runs print what they measured.

import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    faults: 'short' | 'full';
  }
}

export const isFull = inject('faults') === 'full';

export function scaled(short: number, full: number): number {
  return isFull ? full : short;
}

/** The most that something may take, ms. In the short form, which runs beside other tests, only that it comes to an end. */
export function atMost(ms: number): number {
  return scaled(Math.max(10 * ms, 30_000), ms);
}

/** A line of figures, for whoever ran the full form. */
export function report(test: string, figures: Readonly<Record<string, number | string>>): void {
  if (!isFull) return;
  const text = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`${test}: ${text.join(', ')}\n`);
}
