// The Gmail accounts: how each is, when it was last read, and what can be done about it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Menu, MenuItem } from '../../src/views/parts/menu.tsx';
import type { GmailAccount } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { AddButton, PageHead } from '../parts/page-head.tsx';
import { Pill, type Tone } from '../parts/pill.tsx';
import { tellResult } from '../state/tell-result.ts';
import { useAnswer } from '../state/use-answer.ts';
import { counted, number, text } from '../texts/text.ts';
import { GmailDialog } from './gmail-dialog.tsx';
import { GmailTest } from './gmail-test.tsx';
import { spanWords } from './traffic-charts.tsx';

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'test' | 'password' | 'disable' | 'remove'; readonly account: GmailAccount };

const everyMs = 10_000;
const tones: Readonly<Record<GmailAccount['state'], Tone>> = {
  new: 'waiting',
  healthy: 'good',
  failing: 'warning',
  refused: 'bad',
  disabled: 'quiet',
};

export function GmailView(): VNode {
  const accounts = useAnswer<{ readonly accounts: readonly GmailAccount[] }>('gmail-accounts', { everyMs });
  const [open, setOpen] = useState<Open>();
  const onChanged = (): void => {
    void accounts.reload();
  };
  return (
    <>
      <PageHead intro={text('gmail.intro')}>
        <AddButton
          label={text('gmail.add')}
          onClick={() => {
            setOpen({ kind: 'add' });
          }}
        />
      </PageHead>
      <Listing asked={accounts}>
        {(answer) =>
          answer.accounts.length === 0 ? (
            <Nothing icon="gmail" title={text('gmail.none')} hint={text('gmail.noneHint')} />
          ) : (
            <DataTable
              label={text('place.gmail')}
              rows={answer.accounts}
              keyOf={({ email }) => email}
              columns={columns}
              actions={(account) => <Actions account={account} onOpen={setOpen} onChanged={onChanged} />}
            />
          )
        }
      </Listing>
      {open && (
        <OpenDialog
          open={open}
          onChanged={onChanged}
          onClose={() => {
            setOpen(undefined);
          }}
        />
      )}
    </>
  );
}

const columns: readonly Column<GmailAccount>[] = [
  {
    title: text('gmail.email'),
    kind: 'main',
    show: ({ email, host }) => (
      <>
        <strong class="breakable">{email}</strong>
        <small class="breakable">{host}</small>
      </>
    ),
  },
  {
    title: text('gmail.state'),
    kind: 'wide',
    show: ({ state, detail }) => (
      <>
        <Pill tone={tones[state]} label={text(`gmail.${state}`)} />
        {detail !== '' && <small class="breakable">{detail}</small>}
      </>
    ),
  },
  { title: text('gmail.sync'), show: syncWords },
  {
    title: text('gmail.free'),
    kind: 'number',
    show: ({ free_dot_variants: free }) => (free === null ? text('app.none') : number(free)),
  },
  {
    title: text('gmail.sessions'),
    kind: 'number',
    show: ({ live_sessions: live, unmatched }) => (
      <>
        {number(live)}
        {unmatched > 0 && <small>{counted('gmail.unmatched', unmatched)}</small>}
      </>
    ),
  },
];

function syncWords({ state, lag_seconds: lag }: GmailAccount): string {
  if (lag === null) return text('app.none');
  if (state === 'new') return text('app.never');
  return lag === 0 ? text('gmail.upToDate') : text('gmail.behind', { time: spanWords(lag) });
}

interface ActionsProps {
  readonly account: GmailAccount;
  readonly onOpen: (open: Open) => void;
  readonly onChanged: () => void;
}

function Actions({ account, onOpen, onChanged }: ActionsProps): VNode {
  const { email, active, auth } = account;
  const item = (kind: 'test' | 'password' | 'disable' | 'remove') => () => {
    onOpen({ kind, account });
  };
  return (
    <Menu label={text('app.actions', { what: email })}>
      <MenuItem icon="proven" label={text('gmail.test')} onChoose={item('test')} />
      {auth === 'password' && active && (
        <MenuItem icon="settings" label={text('gmail.password')} onChoose={item('password')} />
      )}
      {active ? (
        <MenuItem icon="end" label={text('gmail.disable')} onChoose={item('disable')} />
      ) : (
        <MenuItem
          icon="check"
          label={text('gmail.enable')}
          onChoose={() => {
            tellResult(
              carryOut('enable-gmail-account', { email }),
              text('gmail.enabledNow', { email }),
              onChanged,
            );
          }}
        />
      )}
      <MenuItem icon="trash" isDanger label={text('gmail.remove')} onChoose={item('remove')} />
    </Menu>
  );
}

interface OpenDialogProps {
  readonly open: Open;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function OpenDialog({ open, onChanged, onClose }: OpenDialogProps): VNode {
  if (open.kind === 'add') return <GmailDialog {...{ onChanged, onClose }} />;
  const { kind, account } = open;
  const { email } = account;
  if (kind === 'password') return <GmailDialog {...{ account, onChanged, onClose }} />;
  if (kind === 'test') return <GmailTest {...{ email, onClose }} />;
  return (
    <FormDialog
      title={text(`gmail.${kind}Title`, { email })}
      submit={text(`gmail.${kind}`)}
      isDanger
      onSubmit={async () => {
        await carryOut(`${kind}-gmail-account`, { email });
        onChanged();
        return text(kind === 'remove' ? 'gmail.removed' : 'gmail.disabledNow', { email });
      }}
      onClose={onClose}
    >
      <p>{text(`gmail.${kind}Text`)}</p>
    </FormDialog>
  );
}
