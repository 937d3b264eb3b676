// The settings in force. Secrets come masked from the service.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Toggle } from '../../src/views/parts/toggle.tsx';
import type { Setting } from '../api/answers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pill } from '../parts/pill.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { counted, text } from '../texts/text.ts';

/** They change by a restart. */
const everyMs = 300_000;

export function SettingsView(): VNode {
  const settings = useAnswer<{ readonly settings: readonly Setting[] }>('settings', { everyMs });
  const [part, setPart] = useState('');
  const [isChangedOnly, setChangedOnly] = useState(false);
  const isWanted = (setting: Setting): boolean =>
    !(isChangedOnly && setting.source === 'default') &&
    `${setting.name}\n${setting.value}`.toLowerCase().includes(part.toLowerCase());
  return (
    <>
      <PageHead intro={text('settings.intro')} />
      <div class="filters">
        <SearchField label={text('settings.search')} onChange={setPart} />
        <Toggle isOn={isChangedOnly} onChange={setChangedOnly}>
          {text('settings.changed')}
        </Toggle>
      </div>
      <Listing asked={settings}>
        {(answer) => {
          const rows = answer.settings.filter(isWanted);
          if (rows.length === 0) {
            return (
              <Nothing icon="settings" title={text('settings.noMatch')} hint={text('settings.noMatchHint')} />
            );
          }
          return (
            <>
              <DataTable
                label={text('place.settings')}
                rows={rows}
                keyOf={({ name }) => name}
                columns={columns}
              />
              <p class="table-note" role="status">
                {counted('settings.count', rows.length)}
              </p>
            </>
          );
        }}
      </Listing>
    </>
  );
}

const columns: readonly Column<Setting>[] = [
  {
    title: text('settings.name'),
    kind: 'main',
    sort: ({ name }) => name,
    show: ({ name }) => <code class="table-code breakable">{name}</code>,
  },
  {
    title: text('settings.value'),
    kind: 'wide',
    show: ({ value }) =>
      value === '' ? (
        <span class="quiet">{text('settings.empty')}</span>
      ) : (
        <code class="table-code breakable">{value}</code>
      ),
  },
  {
    title: text('settings.state'),
    sort: ({ source }) => source,
    show: ({ source, file }) => {
      const words = file ?? text(`settings.from.${source}`);
      return source === 'default' ? <span class="quiet">{words}</span> : <Pill tone="good" label={words} />;
    },
  },
];
