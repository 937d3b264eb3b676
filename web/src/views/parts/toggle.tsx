// A checkbox of the settings with its label.
import type { ComponentChildren, VNode } from 'preact';

interface ToggleProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}

export function Toggle({ isOn, onChange, children }: ToggleProps): VNode {
  return (
    <label class="option">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => {
          onChange(event.currentTarget.checked);
        }}
      />
      <span>{children}</span>
    </label>
  );
}
