import { describe, expect, it } from 'vitest';

import { toLatency, toPairedRatio, toSpread } from './statistics.ts';

describe('toSpread', () => {
  it('takes the middle of an odd number of runs and the mean of the middle two of an even one', () => {
    expect(toSpread([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 });
    expect(toSpread([4, 1, 2, 100])).toEqual({ median: 3, min: 1, max: 100 });
  });

  it('throws when nothing was measured', () => {
    expect(() => toSpread([])).toThrow(/nothing was measured/);
  });
});

describe('toLatency', () => {
  it('takes nearest ranks', () => {
    const values = Array.from({ length: 1000 }, (_, index) => 1000 - index);
    expect(toLatency(values)).toEqual({ p50: 500, p99: 990, max: 1000 });
  });

  it('sorts as numbers, not as text', () => {
    expect(toLatency([9, 10, 100]).p50).toBe(10);
  });
});

describe('toPairedRatio', () => {
  it('compares each run with its neighbour, not median with median', () => {
    expect(toPairedRatio([5, 50, 6], [10, 100, 10]).median).toBe(0.5);
    expect(toPairedRatio([5, 50, 6], [10, 100, 10]).max).toBe(0.6);
  });
});
