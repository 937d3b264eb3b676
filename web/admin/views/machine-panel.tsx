// The machine, the store and the nodes, on the overview.
import type { ComponentChildren, VNode } from 'preact';

import type { Node, OverviewAnswer } from '../api/answers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pill } from '../parts/pill.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { bytesWords, number, text } from '../texts/text.ts';

const everyMs = 30_000;

export function MachinePanel(): VNode {
  const { answer, problem } = useAnswer<OverviewAnswer>('overview', { everyMs });
  return (
    <section class="panel" aria-labelledby="machine-title">
      <h2 id="machine-title">{text('machine.title')}</h2>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {answer && <Facts overview={answer} />}
      {answer && answer.nodes.length > 0 && (
        <DataTable
          label={text('machine.nodes')}
          rows={answer.nodes}
          keyOf={({ host, started_at: startedAt }) => `${host} ${startedAt}`}
          columns={columns}
        />
      )}
    </section>
  );
}

function Facts({ overview }: { readonly overview: OverviewAnswer }): VNode {
  const { disk, store, certificates, backup, queues } = overview;
  return (
    <dl class="facts">
      <Fact title={text('machine.disk')}>
        {disk === null ? (
          text('machine.unknown')
        ) : (
          <>
            {text('machine.free', { free: bytesWords(disk.free_bytes), total: bytesWords(disk.total_bytes) })}
            <small>{disk.folder}</small>
          </>
        )}
      </Fact>
      <Fact title={text('machine.store')}>
        {bytesWords(store.bytes)}
        <small>
          {store.engine} {store.version}
        </small>
      </Fact>
      {certificates.map(({ serves, names, not_after: end }) => (
        <Fact key={serves.join()} title={text('machine.certificate', { serves: serves.join(', ') })}>
          {text('machine.until')} <Moment at={end} />
          <small class="breakable">{names.join(', ')}</small>
        </Fact>
      ))}
      <Fact title={text('machine.backup')}>
        <Moment at={backup?.made_at ?? null} none={text('machine.noBackup')} />
        {backup && (
          <small class="breakable">
            {backup.verified ? text('machine.verified', { folder: backup.folder }) : backup.folder}
          </small>
        )}
      </Fact>
      <Fact title={text('machine.webhooks')}>
        {number(queues.webhooks_waiting)}
        {queues.webhooks_oldest_at !== null && (
          <small>
            {text('machine.since')} <Moment at={queues.webhooks_oldest_at} />
          </small>
        )}
      </Fact>
      <Fact title={text('machine.pushes')}>{number(queues.pushes_waiting)}</Fact>
    </dl>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const columns: readonly Column<Node>[] = [
  {
    title: text('machine.node'),
    kind: 'main',
    show: ({ host, self }) => (
      <>
        <strong class="breakable">{host}</strong>
        {self && <small>{text('machine.self')}</small>}
      </>
    ),
  },
  {
    title: text('machine.state'),
    show: ({ alive, seen_at: seenAt }) =>
      alive ? (
        <Pill tone="good" label={text('machine.alive')} />
      ) : (
        <>
          <Pill tone="bad" label={text('machine.gone')} />
          <small>
            {text('machine.seen')} <Moment at={seenAt} />
          </small>
        </>
      ),
  },
  { title: text('machine.version'), show: ({ version }) => version },
  { title: text('machine.roles'), show: ({ roles }) => roles.join(', ') },
  { title: text('machine.started'), show: (row) => <Moment at={row.started_at} /> },
];
