import { expect, it } from 'vitest';

import { toTextPieces } from './link-display.ts';

it('plain text takes time in proportion to its length', () => {
  // The shortest of several, in milliseconds, since any single one can be slow on a busy machine.
  const time = (count: number): number => {
    const text = 'http://a.b/c?d='.repeat(count);
    const taken = Array.from({ length: 7 }, () => {
      const startedAt = performance.now();
      toTextPieces(text);
      return performance.now() - startedAt;
    });
    return Math.min(...taken);
  };
  // Quadratic would be 64.
  expect(time(64_000) / Math.max(0.5, time(8_000))).toBeLessThan(24);
});
