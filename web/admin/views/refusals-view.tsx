// Refused before a recipient was accepted: connections and commands, added up by hour, network and cause.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type Refusal, refusalStages, type RefusalStage } from '../api/answers.ts';
import { BlockedPill, type Blocking, BlockMenu, BlockQuestion, useBlocking } from '../parts/block-menu.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { HostCell, SenderCell } from '../parts/log-cells.tsx';
import { LogFilters, type Searched } from '../parts/log-filters.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Segments } from '../parts/segments.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { causeWords } from '../texts/cause-words.ts';
import { number, text } from '../texts/text.ts';

const pauseMs = 250;
const listedMax = 200;
const stages = ['all', ...refusalStages] as const;

export function RefusalsView(): VNode {
  const [cause, setCause] = useState('');
  const [stage, setStage] = useState<'all' | RefusalStage>('all');
  const [searched, setSearched] = useState<Searched>({});
  const blocking = useBlocking();
  const found = useAnswer<{ readonly refusals: readonly Refusal[] }>('refusals', {
    parameters: {
      ...searched,
      cause: cause.replaceAll(' ', '_'),
      stage: stage === 'all' ? undefined : stage,
      limit: listedMax,
    },
  });
  const isFiltered = cause !== '' || stage !== 'all' || Object.values(searched).some((one) => one !== '');
  return (
    <>
      <PageHead intro={text('refusals.intro')} />
      <div class="filters">
        <SearchField label={text('refusals.search')} onChange={setCause} afterMs={pauseMs} />
        <Segments
          label={text('refusals.stage')}
          value={stage}
          onChange={setStage}
          options={stages.map((one) => [one, text(`refusals.${one}`)] as const)}
        />
      </div>
      <LogFilters searched={searched} onChange={setSearched} own={[]} />
      <Listing asked={found}>
        {({ refusals }) =>
          refusals.length === 0 ? (
            <Nothing
              icon="refusals"
              title={text(isFiltered ? 'refusals.noMatch' : 'refusals.none')}
              hint={text(isFiltered ? 'deliveries.noMatchHint' : 'refusals.noneHint')}
            />
          ) : (
            <DataTable
              label={text('place.refusals')}
              rows={refusals}
              keyOf={keyOf}
              columns={toColumns(blocking)}
              actions={(row) => <BlockMenu row={row} what={networkWords(row)} blocking={blocking} />}
            />
          )
        }
      </Listing>
      <BlockQuestion blocking={blocking} />
    </>
  );
}

function keyOf({ at, network, stage, cause }: Refusal): string {
  return [at, network, stage, cause].join(' ');
}

function networkWords({ network }: Refusal): string {
  if (network === '*') return text('refusals.others');
  return network === '' ? text('refusals.unknown') : network;
}

function toColumns(blocking: Blocking): readonly Column<Refusal>[] {
  return [
    {
      title: text('refusals.network'),
      kind: 'main',
      sort: networkWords,
      show: (row) => (
        <>
          <bdi class="breakable">
            <strong>{networkWords(row)}</strong>
          </bdi>{' '}
          <BlockedPill row={row} blocking={blocking} />
        </>
      ),
    },
    {
      title: text('refusals.cause'),
      kind: 'wide',
      sort: ({ cause }) => causeWords(cause),
      show: ({ stage, cause }) => (
        <>
          {causeWords(cause)}
          <small>{text(`refusals.${stage}`)}</small>
        </>
      ),
    },
    {
      title: text('refusals.count'),
      kind: 'number',
      sort: ({ count }) => count,
      show: ({ count }) => number(count),
    },
    {
      title: text('refusals.last'),
      sort: (row) => row.last_at,
      show: (row) => <Moment at={row.last_at} />,
    },
    {
      title: text('refusals.from'),
      sort: ({ remote_ip: ip }) => ip,
      show: ({ remote_ip: ip, helo }) => <HostCell {...{ ip, helo }} />,
    },
    {
      title: text('log.sender'),
      sort: (row) => row.sender_domain,
      show: (row) => <SenderCell domain={row.sender_domain} />,
    },
  ];
}
