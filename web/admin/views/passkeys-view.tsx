// The passkeys of administrators: added on this device, and removed.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { Passkey } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { addPasskey } from '../api/sign-in.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { AddButton, PageHead } from '../parts/page-head.tsx';
import { TextField } from '../parts/text-field.tsx';
import { forgetSignIn, isFresh, readName } from '../state/signed-in.ts';
import { useAnswer } from '../state/use-answer.ts';
import { text } from '../texts/text.ts';

export function PasskeysView(): VNode {
  const passkeys = useAnswer<{ readonly passkeys: readonly Passkey[] }>('passkeys');
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const closing = {
    onChanged: () => void passkeys.reload(),
    onClose: () => {
      setAdding(false);
      setRemoving(undefined);
    },
  };
  return (
    <>
      <PageHead intro={text('passkeys.intro')}>
        <AddButton
          label={text('passkeys.add')}
          onClick={() => {
            setAdding(true);
          }}
        />
      </PageHead>
      <Listing asked={passkeys}>
        {(answer) => <PasskeyTable passkeys={answer.passkeys} onRemove={setRemoving} />}
      </Listing>
      <p class="table-note">{text('passkeys.keyHint')}</p>
      {isAdding && (isFresh() ? <AddDialog {...closing} /> : <StaleDialog {...closing} />)}
      {removing && <RemoveDialog passkey={removing} {...closing} />}
    </>
  );
}

interface DialogProps {
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function AddDialog({ onChanged, onClose }: DialogProps): VNode {
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={text('passkeys.addTitle')}
      submit={text('passkeys.continue')}
      onSubmit={async () => {
        await addPasskey(name.trim());
        onChanged();
        return text('passkeys.added', { name: name.trim() });
      }}
      onClose={onClose}
    >
      <p>{text('passkeys.addText', { key: readName() })}</p>
      <TextField
        label={text('passkeys.name')}
        hint={text('passkeys.nameHint')}
        value={name}
        onChange={setName}
        hasFocus
      />
    </FormDialog>
  );
}

function StaleDialog({ onClose }: DialogProps): VNode {
  return (
    <FormDialog
      title={text('passkeys.staleTitle')}
      submit={text('passkeys.again')}
      onSubmit={() => {
        forgetSignIn(text('passkeys.staleText'));
        return Promise.resolve(undefined);
      }}
      onClose={onClose}
    >
      <p>{text('passkeys.staleText')}</p>
    </FormDialog>
  );
}

function RemoveDialog({
  passkey: { id, name },
  onChanged,
  onClose,
}: DialogProps & { readonly passkey: Passkey }): VNode {
  return (
    <FormDialog
      title={text('passkeys.removeTitle', { name })}
      submit={text('passkeys.remove')}
      isDanger
      onSubmit={async () => {
        await carryOut('remove-passkey', { id });
        onChanged();
        return text('passkeys.removed', { name });
      }}
      onClose={onClose}
    >
      <p>{text('passkeys.removeText')}</p>
    </FormDialog>
  );
}

interface PasskeyTableProps {
  readonly passkeys: readonly Passkey[];
  readonly onRemove: (passkey: Passkey) => void;
}

function PasskeyTable({ passkeys, onRemove }: PasskeyTableProps): VNode {
  if (passkeys.length === 0) {
    return <Nothing icon="passkeys" title={text('passkeys.none')} hint={text('passkeys.noneHint')} />;
  }
  return (
    <DataTable
      label={text('place.passkeys')}
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={columns}
      actions={(passkey) => (
        <button
          type="button"
          class="button"
          aria-label={`${text('passkeys.remove')}: ${passkey.name}`}
          onClick={() => {
            onRemove(passkey);
          }}
        >
          {text('passkeys.remove')}
        </button>
      )}
    />
  );
}

const columns: readonly Column<Passkey>[] = [
  {
    title: text('passkeys.name'),
    kind: 'main',
    show: ({ name }) => <strong class="breakable">{name}</strong>,
  },
  { title: text('passkeys.key'), show: ({ key }) => <span class="breakable">{key}</span> },
  { title: text('passkeys.since'), show: (row) => <Moment at={row.created_at} /> },
  { title: text('passkeys.lastUsed'), show: (row) => <Moment at={row.last_used_at} /> },
];
