import { expect, it } from 'vitest';

import { sortRows, turn } from './sort-rows.ts';

const by = (value: string | number | null): string | number | null => value;

it('sorts numbers by size, and text by its words and numbers', () => {
  expect(sortRows([10, 9, 100], by, 'ascending')).toEqual([9, 10, 100]);
  expect(sortRows([10, 9, 100], by, 'descending')).toEqual([100, 10, 9]);
  expect(sortRows(['b10', 'B9', 'a'], by, 'ascending')).toEqual(['a', 'B9', 'b10']);
});

it('leaves rows without a value at the end, either way', () => {
  expect(sortRows([null, 2, 0, 1], by, 'ascending')).toEqual([0, 1, 2, null]);
  expect(sortRows([null, 2, 0, 1], by, 'descending')).toEqual([2, 1, 0, null]);
});

it('keeps the order of equal rows', () => {
  const rows = [
    { at: 1, n: 1 },
    { at: 2, n: 0 },
    { at: 3, n: 1 },
  ];
  expect(sortRows(rows, ({ n }) => n, 'descending').map(({ at }) => at)).toEqual([1, 3, 2]);
});

it('goes up, down, and back to the order of the service', () => {
  const up = turn(undefined, 'Size');
  const down = turn(up, 'Size');
  expect([up, down, turn(down, 'Size')]).toEqual([
    { title: 'Size', order: 'ascending' },
    { title: 'Size', order: 'descending' },
    undefined,
  ]);
  expect(turn(down, 'Time')).toEqual({ title: 'Time', order: 'ascending' });
});
