// How much of a fault test runs: seconds in `npm run test:all`; in `npm run test:faults` the full form, which prints
// the figures of docs/reliability.md.

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

/** Returns the limit for something, ms. In the short form, which runs beside other tests, it need only finish. */
export function atMost(ms: number): number {
  return scaled(Math.max(10 * ms, 30_000), ms);
}

/** Prints a line of figures in the full form. */
export function report(test: string, figures: Readonly<Record<string, number | string>>): void {
  if (!isFull) return;
  const text = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`${test}: ${text.join(', ')}\n`);
}
