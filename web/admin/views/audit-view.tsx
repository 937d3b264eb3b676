// The changes that operators made: by the page, the admin interface and the command line.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { AuditEntry, AuditOutcome } from '../api/answers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pill, type Tone } from '../parts/pill.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { text } from '../texts/text.ts';

const pauseMs = 250;
const listedMax = 200;
const tones: Readonly<Record<AuditOutcome, Tone>> = {
  begun: 'waiting',
  done: 'good',
  refused: 'warning',
  failed: 'bad',
};

export function AuditView(): VNode {
  const [words, setWords] = useState('');
  const found = useAnswer<{ readonly entries: readonly AuditEntry[] }>('audit', {
    parameters: { words, limit: listedMax },
  });
  return (
    <>
      <PageHead intro={text('audit.intro')} />
      <div class="filters">
        <SearchField label={text('audit.search')} onChange={setWords} afterMs={pauseMs} />
      </div>
      <Listing asked={found}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Nothing
              icon="audit"
              title={text(words === '' ? 'audit.none' : 'audit.noMatch')}
              hint={text(words === '' ? 'audit.noneHint' : 'audit.noMatchHint')}
            />
          ) : (
            <>
              <DataTable
                label={text('place.audit')}
                rows={entries}
                keyOf={({ id }) => id}
                columns={columns}
              />
              <p class="table-note">{text(entries.length < listedMax ? 'audit.kept' : 'audit.more')}</p>
            </>
          )
        }
      </Listing>
    </>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  {
    title: text('audit.action'),
    kind: 'main',
    sort: ({ action, target }) => `${action} ${target}`,
    show: ({ action, target }) => (
      <>
        <strong>{action}</strong>
        {target !== '' && <small class="breakable">{target}</small>}
      </>
    ),
  },
  {
    title: text('audit.by'),
    sort: ({ by, who }) => `${who} ${by}`,
    show: ({ by, who }) => (
      <>
        <span class="breakable">{who === '' ? text(`audit.${by}`) : who}</span>
        {who !== '' && <small>{text(`audit.${by}`)}</small>}
      </>
    ),
  },
  {
    title: text('audit.outcome'),
    kind: 'wide',
    sort: ({ outcome }) => outcome,
    show: ({ outcome, detail }) => (
      <>
        <Pill tone={tones[outcome]} label={text(`audit.${outcome}`)} />
        {detail !== '' && <small class="breakable">{detail}</small>}
      </>
    ),
  },
  { title: text('audit.at'), sort: ({ at }) => at, show: ({ at }) => <Moment at={at} /> },
];
