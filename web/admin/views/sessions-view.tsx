// The live sessions: how many, where, since when, and one by its address. Nothing of their mail but its amount.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { sizeWords } from '../../src/views/parts/size-words.ts';
import type { DomainCount, Session } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { Bars } from '../parts/bars.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { counted, number, text } from '../texts/text.ts';
import { LiveChart, RateChart, type TrafficAnswer } from './traffic-charts.tsx';

interface SessionsAnswer {
  readonly live: number;
  readonly sessions: readonly Session[];
}

const listedMax = 100;
const pauseMs = 250;
/** The further ones are in the table of domains. */
const barsMax = 6;

export function SessionsView(): VNode {
  const [start, setStart] = useState('');
  const found = useAnswer<SessionsAnswer>('sessions', { parameters: { address: start, limit: listedMax } });
  const [ending, setEnding] = useState<Session>();
  return (
    <>
      <PageHead intro={text('sessions.intro')} />
      <Overall live={found.answer?.live} />
      <div class="filters">
        <SearchField label={text('sessions.search')} onChange={setStart} afterMs={pauseMs} />
      </div>
      <Listing asked={found}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Nothing
              icon="sessions"
              title={start === '' ? text('sessions.none') : text('sessions.noMatch', { start })}
              hint={start === '' ? text('sessions.noneHint') : text('sessions.noMatchHint')}
            />
          ) : (
            <SessionTable sessions={sessions} onEnd={setEnding} />
          )
        }
      </Listing>
      {ending && (
        <EndDialog
          email={ending.email}
          onChanged={() => void found.reload()}
          onClose={() => {
            setEnding(undefined);
          }}
        />
      )}
    </>
  );
}

interface SessionTableProps {
  readonly sessions: readonly Session[];
  readonly onEnd: (session: Session) => void;
}

function SessionTable({ sessions, onEnd }: SessionTableProps): VNode {
  return (
    <>
      <DataTable
        label={text('place.sessions')}
        rows={sessions}
        keyOf={({ email }) => email}
        columns={columns}
        actions={(session) => (
          <button
            type="button"
            class="button"
            aria-label={`${text('sessions.end')}: ${session.email}`}
            onClick={() => {
              onEnd(session);
            }}
          >
            {text('sessions.end')}
          </button>
        )}
      />
      {sessions.length === listedMax && (
        <p class="table-note">{text('sessions.more', { n: number(listedMax) })}</p>
      )}
    </>
  );
}

interface EndDialogProps {
  readonly email: string;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function EndDialog({ email, onChanged, onClose }: EndDialogProps): VNode {
  return (
    <FormDialog
      title={text('sessions.endTitle')}
      submit={text('sessions.end')}
      isDanger
      onSubmit={async () => {
        await carryOut('end-session', { address: email });
        onChanged();
        return text('sessions.ended', { email });
      }}
      onClose={onClose}
    >
      <p class="breakable">{text('sessions.endText', { email })}</p>
    </FormDialog>
  );
}

const columns: readonly Column<Session>[] = [
  {
    title: text('sessions.address'),
    kind: 'main',
    sort: ({ email }) => email,
    show: ({ email }) => (
      <bdi class="breakable">
        <strong>{email}</strong>
      </bdi>
    ),
  },
  {
    title: text('sessions.created'),
    sort: (row) => row.created_at,
    show: (row) => <Moment at={row.created_at} />,
  },
  {
    title: text('sessions.ends'),
    sort: (row) => row.expires_at,
    show: (row) => <Moment at={row.expires_at} />,
  },
  {
    title: text('sessions.messages'),
    kind: 'number',
    sort: (row) => row.message_count,
    show: (row) => number(row.message_count),
  },
  {
    title: text('sessions.size'),
    kind: 'number',
    sort: (row) => row.message_bytes,
    show: (row) => sizeWords(row.message_bytes),
  },
];

function Overall({ live }: { readonly live: number | undefined }): VNode {
  const { answer: traffic } = useAnswer<TrafficAnswer>('traffic', { parameters: { minutes: 1440 } });
  const { answer: counts } = useAnswer<{ readonly domains: readonly DomainCount[] }>('session-domains');
  return (
    <div class="panel-pair">
      <section class="panel" aria-labelledby="growth-title">
        <h2 id="growth-title">{text('sessions.growth')}</h2>
        <div class="charts is-pair">
          <LiveChart traffic={traffic} span="1440" />
          <RateChart traffic={traffic} span="1440" name="sessions_created" />
        </div>
      </section>
      <section class="panel" aria-labelledby="by-domain-title">
        <div class="panel-head">
          <h2 id="by-domain-title">{text('sessions.byDomain')}</h2>
          {live !== undefined && <span class="quiet">{counted('sessions.live', live)}</span>}
        </div>
        <Bars
          bars={(counts?.domains ?? [])
            .slice(0, barsMax)
            .map(({ domain, live_sessions: count }) => ({ name: domain, count }))}
        />
      </section>
    </div>
  );
}
