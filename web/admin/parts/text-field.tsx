// A field of a form with its name and hint.
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

import { text } from '../texts/text.ts';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly type?: 'text' | 'password' | 'number';
  readonly isOptional?: boolean;
  readonly hasFocus?: boolean;
  readonly min?: number;
  readonly max?: number;
}

export function TextField(props: TextFieldProps): VNode {
  const {
    label,
    value,
    onChange,
    hint,
    type = 'text',
    isOptional = false,
    hasFocus = false,
    min,
    max,
  } = props;
  const [id, hintId] = [useId(), useId()];
  const kind = type === 'number' ? ({ type, min, max } as const) : type === 'text' ? { type } : { type };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && <span class="field-note"> {text('app.optional')}</span>}
      </label>
      <input
        {...kind}
        {...{ id, value }}
        required={!isOptional}
        autocomplete="off"
        spellcheck={false}
        autocapitalize="none"
        autofocus={hasFocus}
        aria-describedby={hint === undefined ? undefined : hintId}
        onInput={(event) => {
          onChange(event.currentTarget.value);
        }}
      />
      {hint !== undefined && (
        <span id={hintId} class="hint">
          {hint}
        </span>
      )}
    </div>
  );
}
