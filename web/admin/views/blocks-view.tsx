// The block lists: senders, prefixes and networks that the service refuses.
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';

import type { Block, BlockKind } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { AddButton, PageHead } from '../parts/page-head.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Segments } from '../parts/segments.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAnswer } from '../state/use-answer.ts';
import { text } from '../texts/text.ts';

const kinds = ['sender', 'prefix', 'network'] as const;
/** Fewer can be taken in at a glance. */
const searchedFrom = 10;

export function BlocksView(): VNode {
  const blocks = useAnswer<{ readonly blocks: readonly Block[] }>('blocks');
  const [start, setStart] = useState('');
  // Once it is there it stays, since one may be typing in it.
  const isSearched = useRef(false);
  isSearched.current ||= (blocks.answer?.blocks.length ?? 0) >= searchedFrom;
  const [isAdding, setAdding] = useState(false);
  const [lifting, setLifting] = useState<Block>();
  const onChanged = (): void => {
    void blocks.reload();
  };
  return (
    <>
      <PageHead intro={text('blocks.intro')}>
        <AddButton
          label={text('blocks.add')}
          onClick={() => {
            setAdding(true);
          }}
        />
      </PageHead>
      {isSearched.current && (
        <div class="filters">
          <SearchField label={text('blocks.search')} onChange={setStart} />
        </div>
      )}
      <Listing asked={blocks}>
        {(answer) => <BlockTable blocks={answer.blocks} start={start} onLift={setLifting} />}
      </Listing>
      {isAdding && (
        <BlockDialog
          onChanged={onChanged}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
      {lifting && (
        <FormDialog
          title={text('blocks.liftTitle', { value: lifting.value })}
          submit={text('blocks.lift')}
          onSubmit={async () => {
            const { kind, value } = lifting;
            await carryOut('remove-block', { kind, value });
            onChanged();
            return text('blocks.lifted', { value });
          }}
          onClose={() => {
            setLifting(undefined);
          }}
        >
          <p>{text('blocks.liftText')}</p>
        </FormDialog>
      )}
    </>
  );
}

interface BlockTableProps {
  readonly blocks: readonly Block[];
  readonly start: string;
  readonly onLift: (block: Block) => void;
}

function BlockTable({ blocks, start, onLift }: BlockTableProps): VNode {
  if (blocks.length === 0) {
    return <Nothing icon="blocks" title={text('blocks.none')} hint={text('blocks.noneHint')} />;
  }
  const wanted = start.toLowerCase();
  const found = blocks.filter(({ value, note }) => `${value}\n${note}`.toLowerCase().includes(wanted));
  if (found.length === 0) {
    return (
      <Nothing icon="blocks" title={text('blocks.noMatch', { start })} hint={text('blocks.noMatchHint')} />
    );
  }
  return (
    <DataTable
      label={text('place.blocks')}
      rows={found}
      keyOf={({ kind, value }) => `${kind} ${value}`}
      columns={columns}
      actions={(block) => (
        <button
          type="button"
          class="button"
          aria-label={`${text('blocks.lift')}: ${block.value}`}
          onClick={() => {
            onLift(block);
          }}
        >
          {text('blocks.lift')}
        </button>
      )}
    />
  );
}

const columns: readonly Column<Block>[] = [
  {
    title: text('blocks.value'),
    kind: 'main',
    sort: ({ value }) => value,
    show: ({ value }) => (
      <bdi class="breakable">
        <strong>{value}</strong>
      </bdi>
    ),
  },
  { title: text('blocks.kind'), sort: ({ kind }) => kind, show: ({ kind }) => text(`blocks.${kind}`) },
  {
    title: text('blocks.note'),
    kind: 'wide',
    show: ({ note }) => (note === '' ? text('app.none') : <bdi class="breakable">{note}</bdi>),
  },
  {
    title: text('blocks.since'),
    sort: (row) => row.created_at,
    show: (row) => <Moment at={row.created_at} />,
  },
];

interface BlockDialogProps {
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function BlockDialog({ onChanged, onClose }: BlockDialogProps): VNode {
  const [kind, setKind] = useState<BlockKind>('sender');
  const [value, setValue] = useState('');
  const [note, setNote] = useState('');
  return (
    <FormDialog
      title={text('blocks.addTitle')}
      submit={text('blocks.add')}
      onSubmit={async () => {
        const made = await carryOut<Block>('add-block', { kind, value: value.trim(), note: note.trim() });
        onChanged();
        return text('blocks.added', { value: made.value });
      }}
      onClose={onClose}
    >
      <Segments
        label={text('blocks.kind')}
        isLabelShown
        value={kind}
        onChange={setKind}
        options={kinds.map((one) => [one, text(`blocks.${one}`)] as const)}
      />
      <TextField
        label={text(`blocks.${kind}`)}
        hint={text(`blocks.${kind}Hint`)}
        value={value}
        onChange={setValue}
      />
      <TextField
        label={text('blocks.note')}
        hint={text('blocks.noteHint')}
        isOptional
        value={note}
        onChange={setNote}
      />
    </FormDialog>
  );
}
