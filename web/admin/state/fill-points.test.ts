import { expect, it } from 'vitest';

import { fillPoints } from './fill-points.ts';

const hourMs = 3_600_000;
const now = Date.UTC(2026, 0, 2, 10, 30);

function point(at: string, received: number) {
  return { at, received, bytes: 1, refused: 0, deferred: 0, sessions: 0 };
}

it('has an hour for each of the last days, whether anything was counted or not', () => {
  const filled = fillPoints([point('2026-01-02 09:00:00', 4)], { by: 'hour', days: 1, now });
  expect(filled).toHaveLength(24);
  expect(filled.at(-1)).toEqual({
    at: Date.UTC(2026, 0, 2, 10),
    received: 0,
    bytes: 0,
    refused: 0,
    deferred: 0,
    sessions: 0,
  });
  expect(filled.at(-2)?.received).toBe(4);
  expect((filled.at(-1)?.at ?? 0) - (filled[0]?.at ?? 0)).toBe(23 * hourMs);
});

it('has a day for each of a year, and leaves out what is older', () => {
  const points = [point('2024-01-01 00:00:00', 9), point('2026-01-02 00:00:00', 5)];
  const filled = fillPoints(points, { by: 'day', days: 365, now });
  expect(filled).toHaveLength(365);
  expect(filled.reduce((sum, { received }) => sum + received, 0)).toBe(5);
});
