// A choice of a few, side by side.
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

interface SegmentsProps<Value extends string> {
  readonly label: string;
  /** Whether the label is shown, or only heard. */
  readonly isLabelShown?: boolean;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}

export function Segments<Value extends string>(props: SegmentsProps<Value>): VNode {
  const { label, isLabelShown = false, value, options, onChange } = props;
  const name = useId();
  return (
    <fieldset class="segments-field">
      <legend class={isLabelShown ? undefined : 'visually-hidden'}>{label}</legend>
      <div class="segments">
        {options.map(([one, words]) => (
          <label key={one} class="segment">
            <input
              type="radio"
              name={name}
              checked={one === value}
              onChange={() => {
                onChange(one);
              }}
            />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
