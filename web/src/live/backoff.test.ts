import { expect, it } from 'vitest';

import { backoffMs } from './backoff.ts';

it('doubles up to ten seconds, and never waits less than half of that', () => {
  expect([1, 2, 3, 4].map((failures) => backoffMs(failures, 1))).toEqual([400, 800, 1600, 3200]);
  expect(backoffMs(1, 0)).toBe(200);
  expect(backoffMs(500, 1)).toBe(10_000);
  expect(backoffMs(500, 0)).toBe(5_000);
});
