// A small chart: a line over time, for the eye alone; the words beside it say what matters.
import type { VNode } from 'preact';

import { type ChartPoint, height, toArea, toLine, toPath, width } from './chart-line.ts';

export interface ChartProps {
  readonly title: string;
  readonly figure: string;
  readonly peak: string;
  readonly points: readonly ChartPoint[];
  readonly from: number;
  readonly to: number;
  readonly words: { readonly from: string; readonly to: string };
  readonly isBad?: boolean;
}

export function Chart({ title, figure, peak, points, from, to, words, isBad = false }: ChartProps): VNode {
  const line = toLine(points, from, to);
  return (
    <figure class={`chart${isBad ? ' is-bad' : ''}`}>
      <figcaption>{title}</figcaption>
      <p class="chart-figure">
        <strong>{figure}</strong>
        <span>{peak}</span>
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <path class="chart-area" d={toArea(line)} />
        <path class="chart-line" d={toPath(line)} />
      </svg>
      <p class="chart-axis" aria-hidden="true">
        <span>{words.from}</span>
        <span>{words.to}</span>
      </p>
    </figure>
  );
}
