// The last deliveries: what became of mail, by recipient and outcome.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { sizeWords } from '../../src/views/parts/size-words.ts';
import type { Delivery, Outcome } from '../api/answers.ts';
import { BlockedPill, type Blocking, BlockMenu, BlockQuestion, useBlocking } from '../parts/block-menu.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { HostCell, SenderCell } from '../parts/log-cells.tsx';
import { LogFilters, type Searched } from '../parts/log-filters.tsx';
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

const own = [
  ['reply', text('deliveries.reply')],
  ['id', text('deliveries.id')],
] as const;

interface DeliveriesAnswer {
  readonly since: string | null;
  readonly deliveries: readonly Delivery[];
}

export function DeliveriesView(): VNode {
  const [address, setAddress] = useState('');
  const [outcome, setOutcome] = useState<(typeof outcomes)[number]>('all');
  const [searched, setSearched] = useState<Searched>({});
  const blocking = useBlocking();
  const found = useAnswer<DeliveriesAnswer>('deliveries', {
    parameters: {
      ...searched,
      address,
      outcome: outcome === 'all' ? undefined : outcome,
      limit: listedMax,
    },
    everyMs,
  });
  const isFiltered = address !== '' || outcome !== 'all' || Object.values(searched).some((one) => one !== '');
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
      <LogFilters searched={searched} onChange={setSearched} own={own} />
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
                columns={toColumns(blocking)}
                actions={(row) => <BlockMenu row={row} what={row.address} blocking={blocking} />}
              />
              <p class="table-note">{text('deliveries.since', { time })}</p>
            </>
          );
        }}
      </Listing>
      <BlockQuestion blocking={blocking} />
    </>
  );
}

const toColumns = (blocking: Blocking): readonly Column<Delivery>[] => [
  {
    title: text('deliveries.address'),
    kind: 'main',
    sort: ({ address }) => address,
    show: ({ address }) => (
      <bdi class="breakable">
        <strong>{address}</strong>
      </bdi>
    ),
  },
  {
    title: text('deliveries.outcome'),
    sort: ({ outcome }) => outcome,
    show: (row) => (
      <>
        <Pill tone={tones[row.outcome]} label={text(`deliveries.${row.outcome}`)} />{' '}
        <BlockedPill row={row} blocking={blocking} />
      </>
    ),
  },
  { title: text('deliveries.at'), sort: ({ at }) => at, show: ({ at }) => <Moment at={at} /> },
  {
    title: text('deliveries.reply'),
    kind: 'wide',
    sort: ({ reply }) => reply,
    show: ({ reply, connection }) => (
      <>
        <bdi class="table-code breakable">{reply}</bdi>
        {connection !== null && <small>{text('deliveries.connection', { id: connection })}</small>}
      </>
    ),
  },
  {
    title: text('deliveries.from'),
    sort: ({ remote_ip: ip }) => ip,
    show: ({ remote_ip: ip, tls, helo }) => (
      <HostCell
        {...{ ip, helo }}
        rest={
          <small title={tls ?? undefined}>
            {tls === null ? text('deliveries.plain') : text('deliveries.encrypted')}
          </small>
        }
      />
    ),
  },
  {
    title: text('log.sender'),
    sort: (row) => row.sender_domain,
    show: (row) => <SenderCell domain={row.sender_domain} />,
  },
  {
    title: text('deliveries.size'),
    kind: 'number',
    sort: ({ size }) => size,
    show: ({ size }) => (size === null ? text('app.none') : sizeWords(size)),
  },
];
