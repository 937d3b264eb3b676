// The API keys: made, shown once, revoked.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Toggle } from '../../src/views/parts/toggle.tsx';
import type { Key, MadeKey } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { AddButton, PageHead } from '../parts/page-head.tsx';
import { Pill } from '../parts/pill.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { number, text } from '../texts/text.ts';
import { KeyDialog, MadeKeyDialog } from './key-dialog.tsx';

export function KeysView(): VNode {
  const keys = useAnswer<{ readonly keys: readonly Key[] }>('keys');
  const [revoking, setRevoking] = useState<Key>();
  const [showsRevoked, setShowsRevoked] = useState(false);
  const hasRevoked = keys.answer?.keys.some((key) => key.revoked_at !== null) ?? false;
  return (
    <>
      <PageHead intro={text('keys.intro')}>
        <MakeKey onMade={() => void keys.reload()} />
      </PageHead>
      {hasRevoked && (
        <div class="filters">
          <Toggle isOn={showsRevoked} onChange={setShowsRevoked}>
            {text('keys.showRevoked')}
          </Toggle>
        </div>
      )}
      <Listing asked={keys}>
        {(answer) => (
          <KeyTable
            keys={answer.keys.filter((key) => showsRevoked || key.revoked_at === null)}
            onRevoke={setRevoking}
          />
        )}
      </Listing>
      <p class="table-note">{text('keys.adminHint')}</p>
      {revoking && (
        <RevokeDialog
          name={revoking.name}
          onChanged={() => void keys.reload()}
          onClose={() => {
            setRevoking(undefined);
          }}
        />
      )}
    </>
  );
}

function MakeKey({ onMade }: { readonly onMade: () => void }): VNode {
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeKey>();
  return (
    <>
      <AddButton
        label={text('keys.add')}
        onClick={() => {
          setAdding(true);
        }}
      />
      {isAdding && (
        <KeyDialog
          onMade={(key) => {
            setMade(key);
            onMade();
          }}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
      {made && (
        <MadeKeyDialog
          made={made}
          onClose={() => {
            setMade(undefined);
          }}
        />
      )}
    </>
  );
}

interface RevokeDialogProps {
  readonly name: string;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ name, onChanged, onClose }: RevokeDialogProps): VNode {
  return (
    <FormDialog
      title={text('keys.revokeTitle', { name })}
      submit={text('keys.revoke')}
      isDanger
      onSubmit={async () => {
        await carryOut('revoke-key', { name });
        onChanged();
        return text('keys.revokedNow', { name });
      }}
      onClose={onClose}
    >
      <p>{text('keys.revokeText')}</p>
    </FormDialog>
  );
}

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onRevoke: (key: Key) => void;
}

function KeyTable({ keys, onRevoke }: KeyTableProps): VNode {
  if (keys.length === 0) {
    return <Nothing icon="keys" title={text('keys.none')} hint={text('keys.noneHint')} />;
  }
  return (
    <DataTable
      label={text('place.keys')}
      rows={keys}
      keyOf={({ id }) => id}
      columns={columns}
      actions={(key) =>
        key.revoked_at === null && (
          <button
            type="button"
            class="button"
            aria-label={`${text('keys.revoke')}: ${key.name}`}
            onClick={() => {
              onRevoke(key);
            }}
          >
            {text('keys.revoke')}
          </button>
        )
      }
    />
  );
}

const columns: readonly Column<Key>[] = [
  {
    title: text('keys.name'),
    kind: 'main',
    sort: ({ name }) => name,
    show: ({ name, admin }) => (
      <>
        <strong class="breakable">{name}</strong>
        {admin && <small>{text('keys.admin')}</small>}
      </>
    ),
  },
  {
    title: text('keys.state'),
    show: ({ revoked_at: revoked }) =>
      revoked === null ? (
        <Pill tone="good" label={text('keys.inForce')} />
      ) : (
        <>
          <Pill tone="quiet" label={text('keys.revoked')} />
          <small>
            <Moment at={revoked} />
          </small>
        </>
      ),
  },
  { title: text('keys.scopes'), show: ({ scopes }) => scopes.join(', ') },
  {
    title: text('keys.rate'),
    show: ({ rate_per_minute: rate, admin }) =>
      rate === null ? text(admin ? 'app.none' : 'keys.usual') : text('keys.perMinute', { n: number(rate) }),
  },
  { title: text('keys.uses'), kind: 'number', sort: ({ uses }) => uses, show: ({ uses }) => number(uses) },
  {
    title: text('keys.lastUsed'),
    sort: (row) => row.last_used_at,
    show: (row) => <Moment at={row.last_used_at} />,
  },
];
