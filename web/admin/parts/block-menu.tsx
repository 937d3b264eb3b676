// Blocks from a row of a record: the host's networks and the sender's domain, and lifts such blocks.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { notify } from '../../src/app/notices.ts';
import { Menu, MenuItem } from '../../src/views/parts/menu.tsx';
import type { Block, BlockKind } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { tellResult } from '../state/tell-result.ts';
import { useAnswer } from '../state/use-answer.ts';
import { text } from '../texts/text.ts';
import { FormDialog } from './form-dialog.tsx';
import { Pill } from './pill.tsx';
import { TextField } from './text-field.tsx';

export interface Blockable {
  readonly networks: readonly string[];
  readonly sender_domain: string | null;
}

interface Target {
  readonly kind: BlockKind;
  readonly value: string;
}

/** The block list, for the rows of a view. */
export interface Blocking {
  readonly isListed: (target: Target) => boolean;
  /** The block in question; undefined while there is no such question. */
  readonly asked: Target | undefined;
  readonly ask: (target: Target | undefined) => void;
  readonly changed: () => void;
}

export function useBlocking(): Blocking {
  const { answer, reload } = useAnswer<{ readonly blocks: readonly Block[] }>('blocks');
  const [asked, ask] = useState<Target>();
  return {
    isListed: ({ kind, value }) =>
      answer?.blocks.some((block) => block.kind === kind && block.value === value) ?? false,
    asked,
    ask,
    changed: () => void reload(),
  };
}

function targetsOf({ networks, sender_domain: domain }: Blockable): Target[] {
  // Neither a bounce nor an address in brackets has a domain.
  const hasDomain = domain !== null && domain !== '' && !domain.startsWith('[');
  return [
    ...networks.map((value) => ({ kind: 'network' as const, value })),
    ...(hasDomain ? [{ kind: 'sender' as const, value: domain }] : []),
  ];
}

interface BlockedPillProps {
  readonly row: Blockable;
  readonly blocking: Blocking;
}

/** Says whether a block of exactly one of the row's networks, or its domain, is in force. */
export function BlockedPill({ row, blocking }: BlockedPillProps): VNode | null {
  return targetsOf(row).some((one) => blocking.isListed(one)) ? (
    <Pill tone="bad" label={text('log.blocked')} />
  ) : null;
}

interface BlockMenuProps {
  readonly row: Blockable;
  /** Names the row. */
  readonly what: string;
  readonly blocking: Blocking;
}

export function BlockMenu({ row, what, blocking }: BlockMenuProps): VNode | null {
  const targets = targetsOf(row);
  if (targets.length === 0) return null;
  return (
    <Menu label={text('app.actions', { what })}>
      {targets.map((target) => {
        const isListed = blocking.isListed(target);
        const value = plain(target.value);
        return (
          <MenuItem
            key={`${target.kind} ${target.value}`}
            icon={isListed ? 'check' : 'end'}
            isDanger={!isListed}
            label={isListed ? text('log.unblock', { value }) : text('log.block', { value })}
            onChoose={() => {
              if (isListed) lift(target, blocking);
              else blocking.ask(target);
            }}
          />
        );
      })}
    </Menu>
  );
}

/** Asks before a block is made. One for a whole view. */
export function BlockQuestion({ blocking }: { readonly blocking: Blocking }): VNode | null {
  const { asked, ask, changed } = blocking;
  const [note, setNote] = useState('');
  if (!asked) return null;
  const value = plain(asked.value);
  return (
    <FormDialog
      title={text('log.blockTitle', { value })}
      submit={text('blocks.add')}
      isDanger
      onSubmit={async () => {
        await carryOut('add-block', { ...asked, note: note.trim() });
        changed();
        setNote('');
        notify({
          kind: 'info',
          text: text('blocks.added', { value }),
          action: {
            label: text('log.undo'),
            run: () => {
              lift(asked, blocking);
            },
          },
        });
        return undefined;
      }}
      onClose={() => {
        ask(undefined);
      }}
    >
      <p>{text(asked.kind === 'network' ? 'log.blockNetwork' : 'log.blockSender')}</p>
      <TextField label={text('blocks.note')} isOptional value={note} onChange={setNote} />
    </FormDialog>
  );
}

function lift({ kind, value }: Target, { changed }: Blocking): void {
  tellResult(
    carryOut('remove-block', { kind, value }),
    text('blocks.lifted', { value: plain(value) }),
    changed,
  );
}

/** A single address without its length. */
function plain(value: string): string {
  return value.replace(/\/(?:32|128)$/, '');
}
