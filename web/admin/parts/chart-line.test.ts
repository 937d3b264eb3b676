import { expect, it } from 'vitest';

import { height, toArea, toLine, toPath, width } from './chart-line.ts';

const points = [
  { at: 1000, value: 0 },
  { at: 1500, value: 10 },
  { at: 2000, value: 5 },
];

it('runs from the beginning of the time to its end, and from nothing to the highest value', () => {
  const [first, highest, last] = toLine(points, 1000, 2000);
  expect([first?.[0], highest?.[0], last?.[0]]).toEqual([0, width / 2, width]);
  expect(first?.[1]).toBeGreaterThan(last?.[1] ?? NaN);
  expect(last?.[1]).toBe(height / 2);
  expect(highest?.[1]).toBeGreaterThan(0);
});

it('keeps what is older at its edge, and is flat where nothing was counted', () => {
  const line = toLine(
    [
      { at: 0, value: 0 },
      { at: 2000, value: 0 },
    ],
    1000,
    2000,
  );
  expect(line.map(([x]) => x)).toEqual([0, width]);
  expect(line[0]?.[1]).toBe(line[1]?.[1]);
});

it('is drawn as a line and as the area below it; without points as nothing', () => {
  expect(
    toPath([
      [0, 1],
      [2, 3],
    ]),
  ).toBe('M0.0 1.0L2.0 3.0');
  expect(
    toArea([
      [0, 1],
      [2, 3],
    ]),
  ).toBe(`M0.0 1.0L2.0 3.0L2.0 ${height}L0.0 ${height}Z`);
  expect([toPath([]), toArea([])]).toEqual(['', '']);
});
