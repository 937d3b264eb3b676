import { expect, it } from 'vitest';

import { WalGrowth } from './wal-growth.ts';

it('knows no pace before it has seen the WAL grow for a while', () => {
  const growth = new WalGrowth(0);
  expect(growth.see(100, 100)).toBe(100);
  expect(growth.msUntil(1000)).toBe(Infinity);
});

it('tells when the WAL will have so many frames', () => {
  const growth = new WalGrowth(0);
  growth.see(500, 500);
  growth.see(1000, 1000);
  expect(growth.msUntil(3000)).toBe(2000);
  expect(growth.msUntil(10)).toBe(0);
});

it('counts what was written after the WAL began again', () => {
  const growth = new WalGrowth(0);
  growth.see(800, 500);
  expect(growth.see(200, 1000)).toBe(-600);
  expect(growth.msUntil(700)).toBe(500);
});
