// The fields by which a record of mail is searched, apart from the one that is always shown.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { text } from '../texts/text.ts';

/** Values by the names of the operation’s parameters. */
export type Searched = Readonly<Record<string, string>>;

interface LogFiltersProps {
  readonly searched: Searched;
  readonly onChange: (searched: Searched) => void;
  /** The fields of one record alone: their parameters and labels. */
  readonly own: readonly (readonly [name: string, label: string])[];
}

const pauseMs = 300;

export function LogFilters({ searched, onChange, own }: LogFiltersProps): VNode {
  const fields = [['host', text('log.host')], ['sender', text('log.sender')], ...own] as const;
  const set = (name: string) => (value: string) => {
    onChange({ ...searched, [name]: value });
  };
  return (
    <details class="more-fields log-filters">
      <summary>{text('log.more')}</summary>
      <div class="log-fields">
        {fields.map(([name, label]) => (
          <FilterField key={name} label={label}>
            {(id) => <PausingInput id={id} value={searched[name] ?? ''} onChange={set(name)} />}
          </FilterField>
        ))}
        {(['since', 'until'] as const).map((name) => (
          <FilterField key={name} label={text(`log.${name}`)}>
            {(id) => (
              <input
                id={id}
                type="datetime-local"
                onInput={(event) => {
                  set(name)(toUtc(event.currentTarget.value));
                }}
              />
            )}
          </FilterField>
        ))}
      </div>
    </details>
  );
}

interface FilterFieldProps {
  readonly label: string;
  readonly children: (id: string) => ComponentChildren;
}

function FilterField({ label, children }: FilterFieldProps): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface PausingInputProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Passes on what was typed once one pauses. */
function PausingInput({ id, value, onChange }: PausingInputProps): VNode {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => {
      onChange(typed.trim());
    }, pauseMs);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, value, onChange]);
  return (
    <input
      id={id}
      type="text"
      value={typed}
      autocomplete="off"
      spellcheck={false}
      autocapitalize="none"
      maxLength={300}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
      }}
    />
  );
}

/** From the operator's own time, as the field has it. */
function toUtc(local: string): string {
  const at = new Date(local).getTime();
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
