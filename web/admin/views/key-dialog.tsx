// Makes an API key, and shows it once: it is in the page while that dialog is open, and nowhere after.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { CopyButton } from '../../src/views/parts/copy-button.tsx';
import { Modal } from '../../src/views/dialogs/modal.tsx';
import { Toggle } from '../../src/views/parts/toggle.tsx';
import type { MadeKey } from '../api/answers.ts';
import { carryOut, OperationError } from '../api/call-operation.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { text } from '../texts/text.ts';

const scopes = ['create', 'gmail', 'webhook', 'capture'] as const;
type Scope = (typeof scopes)[number];

interface KeyDialogProps {
  readonly onMade: (key: MadeKey) => void;
  readonly onClose: () => void;
}

export function KeyDialog({ onMade, onClose }: KeyDialogProps): VNode {
  const [name, setName] = useState('');
  const [rate, setRate] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(['create']));
  const choose = (scope: Scope, isOn: boolean): void => {
    setChosen(new Set(scopes.filter((one) => (one === scope ? isOn : chosen.has(one)))));
  };
  return (
    <FormDialog
      title={text('keys.addTitle')}
      submit={text('keys.add')}
      onSubmit={async () => {
        // No scope at all would mean every one.
        if (chosen.size === 0) throw new OperationError(400, text('keys.needScope'));
        onMade(
          await carryOut<MadeKey>('add-key', { name: name.trim(), scopes: [...chosen].join(','), rate }),
        );
        return undefined;
      }}
      onClose={onClose}
    >
      <TextField
        label={text('keys.name')}
        hint={text('keys.nameHint')}
        value={name}
        onChange={setName}
        hasFocus
      />
      <fieldset class="options">
        <legend>{text('keys.scopes')}</legend>
        {scopes.map((scope) => (
          <Toggle
            key={scope}
            isOn={chosen.has(scope)}
            onChange={(isOn) => {
              choose(scope, isOn);
            }}
          >
            {text(`keys.scope.${scope}`)}
            <small>{text(`keys.scope.${scope}Hint`)}</small>
          </Toggle>
        ))}
      </fieldset>
      <TextField
        label={text('keys.rateLabel')}
        hint={text('keys.rateHint')}
        type="number"
        isOptional
        value={rate}
        onChange={setRate}
        min={1}
        max={1_000_000}
      />
    </FormDialog>
  );
}

interface MadeKeyDialogProps {
  readonly made: MadeKey;
  readonly onClose: () => void;
}

export function MadeKeyDialog({ made, onClose }: MadeKeyDialogProps): VNode {
  return (
    <Modal title={text('keys.madeTitle')} onClose={onClose}>
      <p>{text('keys.madeText', { name: made.name })}</p>
      <code class="secret">{made.key}</code>
      <div class="modal-buttons">
        <CopyButton
          text={made.key}
          label={text('keys.copy')}
          done={text('keys.copied')}
          class="button is-primary"
        />
        <button type="button" class="button" onClick={onClose}>
          {text('app.done')}
        </button>
      </div>
    </Modal>
  );
}
