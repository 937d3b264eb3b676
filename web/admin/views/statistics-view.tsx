// The kept statistics: mail, refusals and sessions over the last day, month or year, why mail was refused, and whose
// domains it came from.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { sizeWords } from '../../src/views/parts/size-words.ts';
import type { StatisticsAnswer } from '../api/answers.ts';
import { Bars } from '../parts/bars.tsx';
import { Chart } from '../parts/chart.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Segments } from '../parts/segments.tsx';
import { type FilledPoint, fillPoints, type KeptBy } from '../state/fill-points.ts';
import { useAnswer } from '../state/use-answer.ts';
import { causeWords } from '../texts/cause-words.ts';
import { number, spanStart, text } from '../texts/text.ts';

const spans = ['day', 'month', 'year'] as const;
type Span = (typeof spans)[number];

const asked: Readonly<Record<Span, { readonly by: KeptBy; readonly days: number }>> = {
  day: { by: 'hour', days: 1 },
  month: { by: 'hour', days: 30 },
  year: { by: 'day', days: 365 },
};
const everyMs = 60_000;
/** A longer table is for the interface. */
const rowsMax = 100;

export function StatisticsView(): VNode {
  const [span, setSpan] = useState<Span>('month');
  const { by, days } = asked[span];
  const kept = useAnswer<StatisticsAnswer>('statistics', { parameters: { by, days }, everyMs });
  return (
    <>
      <PageHead intro={text('statistics.intro')} />
      <div class="filters">
        <Segments
          label={text('statistics.span')}
          value={span}
          onChange={setSpan}
          options={spans.map((one) => [one, text(`statistics.${one}`)] as const)}
        />
      </div>
      <Listing asked={kept}>
        {(answer) =>
          answer.points.length === 0 ? (
            <Nothing icon="statistics" title={text('statistics.none')} hint={text('statistics.noneHint')} />
          ) : (
            <Kept answer={answer} span={span} />
          )
        }
      </Listing>
    </>
  );
}

function Kept({ answer, span }: { readonly answer: StatisticsAnswer; readonly span: Span }): VNode {
  // While another span is asked for, the answer is of the one before.
  const points = fillPoints(answer.points, { by: answer.by, days: asked[span].days, now: Date.now() });
  return (
    <>
      <section class="panel" aria-label={text('statistics.charts')}>
        <div class="charts">
          <KeptChart name="received" {...{ points, span }} />
          <KeptChart name="refused" {...{ points, span }} isBad />
          <KeptChart name="deferred" {...{ points, span }} />
          <KeptChart name="sessions" {...{ points, span }} />
          <KeptChart name="bytes" {...{ points, span }} write={sizeWords} />
        </div>
        <PointTable points={points} by={answer.by} />
      </section>
      <div class="panel-pair is-even">
        <section class="panel" aria-labelledby="causes-title">
          <h2 id="causes-title">{text('statistics.causes')}</h2>
          {answer.causes.length === 0 ? (
            <p class="quiet">{text('statistics.noCauses')}</p>
          ) : (
            <Bars bars={answer.causes.map(({ name, count }) => ({ name: causeWords(name), count }))} />
          )}
        </section>
        <section class="panel" aria-labelledby="senders-title">
          <h2 id="senders-title">{text('statistics.senders')}</h2>
          {answer.senders.length === 0 ? (
            <p class="quiet">{text('statistics.noSenders')}</p>
          ) : (
            <Bars bars={answer.senders.map(({ name, count }) => ({ name: senderWords(name), count }))} />
          )}
        </section>
      </div>
    </>
  );
}

type Count = Exclude<keyof FilledPoint, 'at'>;

interface KeptChartProps {
  readonly name: Count;
  readonly points: readonly FilledPoint[];
  readonly span: Span;
  readonly write?: (value: number) => string;
  readonly isBad?: boolean;
}

function KeptChart({ name, points, span, write = number, isBad = false }: KeptChartProps): VNode {
  const values = points.map((point) => point[name]);
  const sum = values.reduce((total, value) => total + value, 0);
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  return (
    <Chart
      title={text(`statistics.${name}`)}
      figure={write(sum)}
      peak={text('chart.peak', { n: write(Math.max(...values)) })}
      points={points.map((point) => ({ at: point.at, value: point[name] }))}
      {...{ from, to, isBad: isBad && sum > 0 }}
      words={{ from: text(`statistics.ago.${span}`), to: text('chart.now') }}
    />
  );
}

function senderWords(name: string): string {
  if (name === '') return text('statistics.bounces');
  return name === '*' ? text('statistics.others') : name;
}

function PointTable({ points, by }: { readonly points: readonly FilledPoint[]; readonly by: KeptBy }): VNode {
  const rows = points
    .filter((point) => point.received + point.refused + point.deferred + point.sessions > 0)
    .reverse()
    .slice(0, rowsMax);
  const countColumn = (name: Exclude<Count, 'bytes'>): Column<FilledPoint> => ({
    title: text(`statistics.${name}`),
    kind: 'number',
    sort: (point) => point[name],
    show: (point) => number(point[name]),
  });
  return (
    <details class="more-fields">
      <summary>{text('statistics.table')}</summary>
      <DataTable
        label={text('place.statistics')}
        rows={rows}
        keyOf={({ at }) => at}
        columns={[
          {
            title: text(`statistics.by.${by}`),
            kind: 'main',
            sort: ({ at }) => at,
            show: ({ at }) => spanStart(at, by),
          },
          ...(['received', 'refused', 'deferred', 'sessions'] as const).map(countColumn),
          {
            title: text('statistics.bytes'),
            kind: 'number',
            sort: ({ bytes }) => bytes,
            show: ({ bytes }) => sizeWords(bytes),
          },
        ]}
      />
    </details>
  );
}
