// A field that narrows a list as one types.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Icon } from '../../src/icons/icon.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly onChange: (value: string) => void;
  /** How long one may pause before the list is asked for; at once when absent. */
  readonly afterMs?: number;
}

export function SearchField({ label, onChange, afterMs = 0 }: SearchFieldProps): VNode {
  const [value, setValue] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      onChange(value.trim());
    }, afterMs);
    return () => {
      clearTimeout(timer);
    };
  }, [value, afterMs, onChange]);
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        type="search"
        value={value}
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        autocapitalize="none"
        maxLength={320}
        onInput={(event) => {
          setValue(event.currentTarget.value);
        }}
      />
    </div>
  );
}
