// How busy the service was, as small charts over one span of time.
import type { VNode } from 'preact';

import { formatSpan, parseTimestamp } from '../../src/state/timestamp.ts';
import type { TrafficName, TrafficPoint } from '../api/answers.ts';
import type { ChartPoint } from '../parts/chart-line.ts';
import { Chart } from '../parts/chart.tsx';
import { number, text } from '../texts/text.ts';

export const spans = ['60', '360', '1440'] as const;
export type Span = (typeof spans)[number];

export interface TrafficAnswer {
  readonly minutes: number;
  readonly points: readonly TrafficPoint[];
}

const rates: readonly TrafficName[] = [
  'messages_stored',
  'messages_refused',
  'sessions_created',
  'smtp_connections',
  'http_requests',
  'webhooks_sent',
];

interface ChartsProps {
  readonly traffic: TrafficAnswer | undefined;
  readonly span: Span;
}

export function RateCharts(props: ChartsProps): VNode {
  return (
    <div class="charts">
      {rates.map((name) => (
        <RateChart key={name} {...props} name={name} />
      ))}
    </div>
  );
}

export function RateChart({ traffic, span, name }: ChartsProps & { readonly name: TrafficName }): VNode {
  const points = toPoints(traffic, (point) => (point.seconds > 0 ? (point[name] * 60) / point.seconds : 0));
  const rate = (value: number): string => text('chart.rate', { n: number(value) });
  return (
    <SpanChart
      title={text(`traffic.${name}`)}
      {...{ span, points, write: rate, isBad: name === 'messages_refused' }}
    />
  );
}

export function LiveChart({ traffic, span }: ChartsProps): VNode {
  const points = toPoints(traffic, ({ live_sessions: live }) => live);
  return <SpanChart title={text('traffic.live_sessions')} {...{ span, points, write: number }} />;
}

/** A place for the beginning of the first span too, so that a single one is a line. */
function toPoints(
  traffic: TrafficAnswer | undefined,
  valueOf: (point: TrafficPoint) => number | null,
): ChartPoint[] {
  return (traffic?.points ?? []).flatMap((point, index) => {
    const [at, value] = [parseTimestamp(point.at), valueOf(point)];
    if (value === null) return [];
    return [...(index === 0 ? [{ at: at - point.seconds * 1000, value }] : []), { at, value }];
  });
}

interface SpanChartProps {
  readonly title: string;
  readonly span: Span;
  readonly points: readonly ChartPoint[];
  readonly write: (value: number) => string;
  readonly isBad?: boolean;
}

function SpanChart({ title, span, points, write, isBad = false }: SpanChartProps): VNode {
  const now = points.at(-1);
  const to = now?.at ?? Date.now();
  return (
    <Chart
      {...{ title, points, to, isBad: isBad && points.some(({ value }) => value > 0) }}
      from={to - Number(span) * 60_000}
      figure={now ? write(now.value) : text('chart.nothing')}
      peak={now ? text('chart.peak', { n: write(Math.max(...points.map(({ value }) => value))) }) : ''}
      words={{ from: text(`chart.ago${span}`), to: text('chart.now') }}
    />
  );
}

export function spanWords(seconds: number): string {
  return formatSpan(seconds, 'en');
}
