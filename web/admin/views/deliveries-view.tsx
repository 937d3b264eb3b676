// The last deliveries: what became of mail, by recipient and outcome.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { sizeWords } from '../../src/views/parts/size-words.ts';
import type { Delivery, Outcome } from '../api/answers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { Moment, momentWords } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pill, type Tone } from '../parts/pill.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Segments } from '../parts/segments.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { text } from '../texts/text.ts';

const pauseMs = 250;
const everyMs = 10_000;
const listedMax = 200;
const outcomes = ['all', 'accepted', 'deferred', 'refused', 'discarded'] as const;
const tones: Readonly<Record<Outcome, Tone>> = {
  accepted: 'good',
  deferred: 'warning',
  refused: 'bad',
  discarded: 'quiet',
};

interface DeliveriesAnswer {
  readonly since: string | null;
  readonly deliveries: readonly Delivery[];
}

export function DeliveriesView(): VNode {
  const [address, setAddress] = useState('');
  const [outcome, setOutcome] = useState<(typeof outcomes)[number]>('all');
  const found = useAnswer<DeliveriesAnswer>('deliveries', {
    parameters: { address, outcome: outcome === 'all' ? undefined : outcome, limit: listedMax },
    everyMs,
  });
  const isFiltered = address !== '' || outcome !== 'all';
  return (
    <>
      <PageHead intro={text('deliveries.intro')} />
      <div class="filters">
        <SearchField label={text('deliveries.search')} onChange={setAddress} afterMs={pauseMs} />
        <Segments
          label={text('deliveries.outcome')}
          value={outcome}
          onChange={setOutcome}
          options={outcomes.map((one) => [one, text(`deliveries.${one}`)] as const)}
        />
      </div>
      <Listing asked={found}>
        {({ since, deliveries }) => {
          const time = since === null ? text('app.never') : momentWords(since);
          if (deliveries.length === 0) {
            return (
              <Nothing
                icon="deliveries"
                title={isFiltered ? text('deliveries.noMatch') : text('deliveries.none', { time })}
                hint={isFiltered ? text('deliveries.noMatchHint') : text('deliveries.noneHint')}
              />
            );
          }
          return (
            <>
              <DataTable
                label={text('place.deliveries')}
                rows={deliveries.map((delivery, at) => ({ ...delivery, number: deliveries.length - at }))}
                keyOf={({ number }) => number}
                columns={columns}
              />
              <p class="table-note">{text('deliveries.since', { time })}</p>
            </>
          );
        }}
      </Listing>
    </>
  );
}

const columns: readonly Column<Delivery>[] = [
  {
    title: text('deliveries.address'),
    kind: 'main',
    show: ({ address }) => (
      <bdi class="breakable">
        <strong>{address}</strong>
      </bdi>
    ),
  },
  {
    title: text('deliveries.outcome'),
    show: ({ outcome }) => <Pill tone={tones[outcome]} label={text(`deliveries.${outcome}`)} />,
  },
  { title: text('deliveries.at'), show: ({ at }) => <Moment at={at} /> },
  {
    title: text('deliveries.reply'),
    kind: 'wide',
    show: ({ reply }) => <bdi class="table-code breakable">{reply}</bdi>,
  },
  {
    title: text('deliveries.from'),
    show: ({ remote_ip: ip, tls }) =>
      ip === null ? (
        text('app.none')
      ) : (
        <>
          <span class="breakable">{ip}</span>
          <small title={tls ?? undefined}>
            {tls === null ? text('deliveries.plain') : text('deliveries.encrypted')}
          </small>
        </>
      ),
  },
  {
    title: text('deliveries.size'),
    kind: 'number',
    show: ({ size }) => (size === null ? text('app.none') : sizeWords(size)),
  },
];
