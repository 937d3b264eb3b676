// The smallest parts, in every state. The test puts those marked with `data-force` into a state such as hover or
// focus.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

import { drawings, Icon, type IconName } from '../src/icons/icon.tsx';
import { Mark } from '../src/icons/mark.tsx';
import { CodeWords } from '../src/views/parts/code-words.tsx';
import { Monogram } from '../src/views/parts/monogram.tsx';

export function Colours(): VNode {
  const names = ['act', 'act-soft', 'code', 'code-soft', 'danger', 'danger-soft', 'sunk', 'float'];
  return (
    <div class="specimen-line">
      {names.map((name) => (
        <div key={name}>
          <div class={`swatch is-${name}`} />
          <span class="type-12">{name}</span>
        </div>
      ))}
    </div>
  );
}

export function Type(): VNode {
  return (
    <div class="specimen-line">
      {[12, 13, 14, 16, 20, 28].map((size) => (
        <span key={size} class={`type-${size}`}>
          {size} Mayfly
        </span>
      ))}
    </div>
  );
}

const kinds = ['', 'is-primary', 'is-code', 'is-danger', 'is-quiet'] as const;

export function Buttons(): VNode {
  return (
    <>
      {[undefined, 'hover', 'focus-visible'].map((state) => (
        <div key={state} class="specimen-line">
          {kinds.map((kind) => (
            <button key={kind} type="button" class={`button ${kind}`} data-force={state}>
              <Icon name="copy" />
              <span>Copy</span>
            </button>
          ))}
        </div>
      ))}
      <div class="specimen-line">
        <button type="button" class="button is-primary is-large">
          Random address
        </button>
        <button type="button" class="button is-primary is-done">
          <Icon name="check" />
          <span>Copied</span>
        </button>
        <button type="button" class="button is-primary" aria-disabled="true">
          Creating…
        </button>
        <button type="button" class="button is-wide">
          Wide
        </button>
      </div>
      <div class="specimen-line">
        {[undefined, 'hover', 'focus-visible'].map((state) => (
          <button key={state} type="button" class="icon-button" aria-label="Print" data-force={state}>
            <Icon name="print" />
          </button>
        ))}
        <button type="button" class="icon-button" aria-label="Next" aria-disabled="true">
          <Icon name="down" />
        </button>
        <button type="button" class="icon-button is-outlined" aria-label="More">
          <Icon name="more" />
        </button>
        {[undefined, 'hover', 'focus-visible'].map((state) => (
          <button key={state} type="button" class="text-button" data-force={state}>
            Extend
          </button>
        ))}
      </div>
    </>
  );
}

export function Fields(): VNode {
  const choice = useSignal('one');
  return (
    <form class="form specimen-form">
      <label class="field">
        Name
        <input value="amber.fox42" />
      </label>
      <label class="field">
        Name
        <input value="--" aria-invalid="true" />
      </label>
      <p class="problem">This name can’t be used.</p>
      <label class="field">
        Domain
        <select>
          <option>mail.example</option>
        </select>
      </label>
      <fieldset class="segments">
        <legend class="visually-hidden">Appearance</legend>
        {['one', 'two', 'three'].map((one) => (
          <label key={one} class="segment">
            <input type="radio" name="choice" checked={choice.value === one} />
            <span>{one}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="options">
        <legend>When mail arrives</legend>
        {[true, false].map((isOn) => (
          <label key={String(isOn)} class="option">
            <input type="checkbox" checked={isOn} />
            <span>
              Play a sound <small>With a hint below it</small>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="hint">
        A hint, and a key: <kbd>Esc</kbd>
      </p>
    </form>
  );
}

export function Icons(): VNode {
  return (
    <div class="specimen-line">
      <Mark />
      {Object.keys(drawings).map((name) => (
        <Icon key={name} name={name as IconName} />
      ))}
    </div>
  );
}

export function Signs(): VNode {
  const senders = ['a@a.example', 'b@b.example', 'c@c.example', 'd@d.example', 'e@e.example', 'f@f.example'];
  return (
    <div class="specimen-line">
      {senders.map((email) => (
        <Monogram key={email} sender={{ sender_name: '', sender_email: email }} />
      ))}
      <span class="badge">7</span>
      {[undefined, 'hover', 'focus-visible'].map((state) => (
        <button key={state} type="button" class="code-chip" data-force={state}>
          482913
        </button>
      ))}
      <button type="button" class="code-chip is-done">
        Copied
      </button>
      <CodeWords code="482913" />
    </div>
  );
}
