// The kept statistics as the service answers them leave out hours and days in which nothing was counted; a chart needs
// them. Pure.

import { parseTimestamp } from '../../src/state/timestamp.ts';
import type { StatisticsPoint } from '../api/answers.ts';

export type KeptBy = 'hour' | 'day';

export interface FilledPoint extends Omit<StatisticsPoint, 'at'> {
  /** ms since 1970. */
  readonly at: number;
}

const spanMs: Readonly<Record<KeptBy, number>> = { hour: 3_600_000, day: 86_400_000 };
const nothing = { received: 0, bytes: 0, refused: 0, deferred: 0, sessions: 0 };

/** Returns a point for each hour or day (UTC) of the last days, oldest first, up to the one that now is. */
export function fillPoints(
  points: readonly StatisticsPoint[],
  { by, days, now }: { readonly by: KeptBy; readonly days: number; readonly now: number },
): FilledPoint[] {
  const step = spanMs[by];
  const known = new Map(points.map(({ at, ...counts }) => [parseTimestamp(at), counts]));
  const last = now - (now % step);
  const count = Math.round((days * spanMs.day) / step);
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * step;
    return { ...nothing, ...known.get(at), at };
  });
}
