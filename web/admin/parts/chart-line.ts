// The line of a small chart as the paths of a drawing. Pure.

export interface ChartPoint {
  /** ms since 1970. */
  readonly at: number;
  readonly value: number;
}

export const width = 300;
export const height = 64;
/** So that the line is not cut off at its highest and lowest. */
const inset = 2;

type Place = readonly [x: number, y: number];

export function toLine(points: readonly ChartPoint[], from: number, to: number): Place[] {
  const most = Math.max(1, ...points.map(({ value }) => value));
  return points.map(({ at, value }) => [
    Math.min(width, Math.max(0, ((at - from) / (to - from)) * width)),
    height - inset - (value / most) * (height - 2 * inset),
  ]);
}

export function toPath(line: readonly Place[]): string {
  return line.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

export function toArea(line: readonly Place[]): string {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last) return '';
  return `${toPath(line)}L${last[0].toFixed(1)} ${height}L${first[0].toFixed(1)} ${height}Z`;
}
