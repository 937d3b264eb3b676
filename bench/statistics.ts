// Medians, spreads and percentiles. Pure; used by drivers and by the table.

/** The results of several runs of one figure, in its unit. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Latencies of one process, in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** `values` must not be empty. */
export function toSpread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = at(sorted, half);
  const median = sorted.length % 2 === 1 ? upper : (at(sorted, half - 1) + upper) / 2;
  return { median, min: at(sorted, 0), max: at(sorted, sorted.length - 1) };
}

/** Nearest-rank percentiles; `valuesMs` must not be empty. */
export function toLatency(valuesMs: readonly number[]): Latency {
  const sorted = Float64Array.from(valuesMs).sort();
  const rank = (share: number): number => at(sorted, Math.ceil(share * sorted.length) - 1);
  return { p50: rank(0.5), p99: rank(0.99), max: rank(1) };
}

/**
 * Returns service to floor for each pair of neighbouring runs, so that a machine that slows down midway skews nothing.
 */
export function toPairedRatio(service: readonly number[], floor: readonly number[]): Spread {
  return toSpread(service.map((value, pair) => value / at(floor, pair)));
}

function at(values: ArrayLike<number>, index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`No value at ${index}: nothing was measured.`);
  return value;
}
