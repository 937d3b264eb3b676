import { expect, it } from 'vitest';

import { SharedBudget } from './shared-budget.ts';

it('refuses a share that is spent before the total, and says which', () => {
  const budget = new SharedBudget(5);
  const one = [
    { key: 'session', max: 2 },
    { key: 'network', max: 3 },
  ];
  const other = [
    { key: 'another', max: 2 },
    { key: 'network', max: 3 },
  ];
  expect(budget.claim(one).isHeld).toBe(true);
  expect(budget.claim(one).isHeld).toBe(true);
  expect(budget.claim(one)).toEqual({ isHeld: false, spent: one[0] });
  expect(budget.claim(other).isHeld).toBe(true);
  expect(budget.claim(other)).toEqual({ isHeld: false, spent: other[1] });
  expect(budget.claim([], 2).isHeld).toBe(true);
  expect(budget.claim([])).toEqual({ isHeld: false, spent: undefined });
  expect(budget.used).toBe(5);
});

it('gives back once, and forgets a key that holds nothing', () => {
  const budget = new SharedBudget(10);
  const shares = [{ key: 'a', max: 4 }];
  const claim = budget.claim(shares, 3);
  if (!claim.isHeld) throw new Error('It must fit.');
  expect(budget.usedBy('a')).toBe(3);
  expect(budget.claim(shares, 2).isHeld).toBe(false);
  claim.release();
  claim.release();
  expect([budget.used, budget.usedBy('a')]).toEqual([0, 0]);
  expect(budget.claim(shares, 4).isHeld).toBe(true);
});

it('lets a first claim pass its share, which nothing else could ever serve', () => {
  const budget = new SharedBudget(10);
  const claim = budget.claim([{ key: 'a', max: 4 }], 50);
  expect(claim.isHeld).toBe(true);
  expect(budget.claim([{ key: 'b', max: 4 }], 1)).toEqual({ isHeld: false, spent: undefined });
});
