// Adds a domain, or changes the rules of one.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Toggle } from '../../src/views/parts/toggle.tsx';
import type { Domain } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { text } from '../texts/text.ts';

interface DomainDialogProps {
  /** Absent for a new one. */
  readonly domain?: Domain;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function DomainDialog({ domain, onChanged, onClose }: DomainDialogProps): VNode {
  const [name, setName] = useState(domain?.domain ?? '');
  const [quarantine, setQuarantine] = useState(domain?.quarantine ?? '');
  const [rules, setRules] = useState<DomainRules>({
    plus: domain?.takes_plus_tags ?? true,
    refuses: domain?.refuses_dmarc_reject ?? false,
    discards: domain?.discards_unknown ?? false,
  });
  const submit = async (): Promise<string> => {
    const wanted = name.trim();
    await carryOut('add-domain', {
      name: wanted,
      quarantine,
      refuse_dmarc_reject: rules.refuses ? 1 : 0,
      unknown: rules.discards ? 'accept-and-discard' : 'reject',
    });
    await carryOut('set-domain', { name: wanted, plus: rules.plus ? 'on' : 'off' });
    onChanged();
    return text(domain ? 'domains.saved' : 'domains.added', { domain: wanted });
  };
  return (
    <FormDialog
      title={domain ? text('domains.editTitle', { domain: domain.domain }) : text('domains.addTitle')}
      submit={domain ? text('app.save') : text('domains.add')}
      onSubmit={submit}
      onClose={onClose}
    >
      {!domain && (
        <TextField
          label={text('domains.name')}
          hint={text('domains.nameHint')}
          value={name}
          onChange={setName}
          hasFocus
        />
      )}
      <TextField
        label={text('domains.rest')}
        hint={text('domains.restHint')}
        isOptional
        value={quarantine}
        onChange={setQuarantine}
      />
      <Rules rules={rules} onChange={setRules} />
    </FormDialog>
  );
}

interface DomainRules {
  readonly plus: boolean;
  readonly refuses: boolean;
  readonly discards: boolean;
}

interface RulesProps {
  readonly rules: DomainRules;
  readonly onChange: (rules: DomainRules) => void;
}

function Rules({ rules, onChange }: RulesProps): VNode {
  const set = (name: keyof DomainRules) => (isOn: boolean) => {
    onChange({ ...rules, [name]: isOn });
  };
  return (
    <fieldset class="options">
      <legend>{text('domains.rules')}</legend>
      <Toggle isOn={rules.plus} onChange={set('plus')}>
        {text('domains.plus')}
        <small>{text('domains.plusHint')}</small>
      </Toggle>
      <Toggle isOn={rules.refuses} onChange={set('refuses')}>
        {text('domains.refuseDmarc')}
        <small>{text('domains.refuseDmarcHint')}</small>
      </Toggle>
      <Toggle isOn={rules.discards} onChange={set('discards')}>
        {text('domains.discard')}
        <small>{text('domains.discardHint')}</small>
      </Toggle>
    </fieldset>
  );
}
