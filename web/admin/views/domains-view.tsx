// The domains with their DNS, which is asked for apart: the table does not wait for name servers.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Menu, MenuItem } from '../../src/views/parts/menu.tsx';
import type { Domain, DomainCount, DomainState } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { AddButton, PageHead } from '../parts/page-head.tsx';
import { Pill } from '../parts/pill.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { useDomainStates } from '../state/use-domain-states.ts';
import { tellResult } from '../state/tell-result.ts';
import { number, text } from '../texts/text.ts';
import { DnsDialog, DnsPill } from './dns-dialog.tsx';
import { DomainDialog } from './domain-dialog.tsx';
import { spanWords } from './traffic-charts.tsx';

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'dns' | 'edit' | 'disable' | 'remove'; readonly domain: Domain };

export function DomainsView(): VNode {
  const domains = useAnswer<{ readonly domains: readonly Domain[] }>('domains');
  const counts = useAnswer<{ readonly domains: readonly DomainCount[] }>('session-domains');
  const dns = useDomainStates();
  const [open, setOpen] = useState<Open>();
  const reload = (): void => {
    void Promise.all([domains.reload(), dns.reload(), counts.reload()]);
  };
  const stateOf = (name: string): DomainState | undefined =>
    dns.answer?.domains.find(({ domain }) => domain === name);
  const liveOf = (name: string): number | undefined =>
    counts.answer && (counts.answer.domains.find(({ domain }) => domain === name)?.live_sessions ?? 0);
  const add = (): void => {
    setOpen({ kind: 'add' });
  };
  return (
    <>
      <PageHead intro={text('domains.intro')}>
        <AddButton label={text('domains.add')} onClick={add} />
      </PageHead>
      <Listing asked={domains}>
        {(answer) =>
          answer.domains.length === 0 ? (
            <Nothing icon="domains" title={text('domains.none')} hint={text('domains.noneHint')} />
          ) : (
            <DataTable
              label={text('place.domains')}
              rows={answer.domains}
              keyOf={({ domain }) => domain}
              columns={columnsOf(stateOf, liveOf)}
              actions={(domain) => <Actions domain={domain} onOpen={setOpen} onChanged={reload} />}
            />
          )
        }
      </Listing>
      {open && (
        <OpenDialog
          open={open}
          state={open.kind === 'add' ? undefined : stateOf(open.domain.domain)}
          onChanged={reload}
          onClose={() => {
            setOpen(undefined);
          }}
        />
      )}
    </>
  );
}

function columnsOf(
  stateOf: (name: string) => DomainState | undefined,
  liveOf: (name: string) => number | undefined,
): readonly Column<Domain>[] {
  return [
    {
      title: text('domains.name'),
      kind: 'main',
      sort: (row) => row.domain,
      show: (row) => (
        <>
          <strong class="breakable">{row.domain}</strong>
          <small>{rulesOf(row).join(' · ')}</small>
        </>
      ),
    },
    {
      title: text('domains.state'),
      show: ({ active }) => (
        <Pill
          tone={active ? 'good' : 'quiet'}
          label={active ? text('domains.active') : text('domains.disabled')}
        />
      ),
    },
    {
      title: text('domains.dns'),
      kind: 'wide',
      show: ({ domain }) => {
        const state = stateOf(domain);
        return (
          <>
            <DnsPill state={state?.state ?? 'pending'} />
            {typeof state?.problem === 'string' && <small>{state.problem}</small>}
          </>
        );
      },
    },
    {
      title: text('domains.sessions'),
      kind: 'number',
      sort: ({ domain }) => liveOf(domain),
      show: ({ domain }) => {
        const live = liveOf(domain);
        return live === undefined ? text('app.none') : number(live);
      },
    },
    {
      title: text('domains.lastMail'),
      sort: (row) => row.last_mail_at,
      show: (row) => <Moment at={row.last_mail_at} />,
    },
  ];
}

function rulesOf(domain: Domain): string[] {
  const { quarantine_seconds: seconds } = domain;
  return [
    seconds === 0 ? text('domains.noQuarantine') : text('domains.quarantine', { time: spanWords(seconds) }),
    ...(domain.takes_plus_tags ? [] : [text('domains.noPlus')]),
    ...(domain.refuses_dmarc_reject ? [text('domains.dmarc')] : []),
    ...(domain.discards_unknown ? [text('domains.discards')] : []),
  ];
}

interface ActionsProps {
  readonly domain: Domain;
  readonly onOpen: (open: Open) => void;
  readonly onChanged: () => void;
}

function Actions({ domain, onOpen, onChanged }: ActionsProps): VNode {
  const { domain: name, active } = domain;
  const item = (kind: 'dns' | 'edit' | 'disable' | 'remove') => () => {
    onOpen({ kind, domain });
  };
  return (
    <Menu label={text('app.actions', { what: name })}>
      <MenuItem icon="search" label={text('domains.details')} onChoose={item('dns')} />
      {active && <MenuItem icon="settings" label={text('domains.edit')} onChoose={item('edit')} />}
      {active ? (
        <MenuItem icon="end" label={text('domains.disable')} onChoose={item('disable')} />
      ) : (
        <MenuItem
          icon="check"
          label={text('domains.enable')}
          onChoose={() => {
            tellResult(carryOut('add-domain', { name }), text('domains.added', { domain: name }), onChanged);
          }}
        />
      )}
      <MenuItem icon="trash" isDanger label={text('domains.remove')} onChoose={item('remove')} />
    </Menu>
  );
}

interface OpenDialogProps {
  readonly open: Open;
  readonly state: DomainState | undefined;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function OpenDialog({ open, state, onChanged, onClose }: OpenDialogProps): VNode {
  if (open.kind === 'add') return <DomainDialog {...{ onChanged, onClose }} />;
  const { kind, domain } = open;
  if (kind === 'edit') return <DomainDialog {...{ domain, onChanged, onClose }} />;
  const name = domain.domain;
  if (kind === 'dns') return <DnsDialog {...{ name, state, onChanged, onClose }} />;
  return (
    <FormDialog
      title={text(`domains.${kind}Title`, { domain: name })}
      submit={text(`domains.${kind}`)}
      isDanger
      onSubmit={async () => {
        await carryOut(`${kind}-domain`, { name });
        onChanged();
        return text(kind === 'remove' ? 'domains.removed' : 'domains.disabledNow', { domain: name });
      }}
      onClose={onClose}
    >
      <p>{text(`domains.${kind}Text`)}</p>
    </FormDialog>
  );
}
