// The head of a part of the page: what it is, in a line what it is for, and what is done there most.
import type { ComponentChildren, VNode } from 'preact';

import { Icon } from '../../src/icons/icon.tsx';
import { place } from '../state/route.ts';
import { text } from '../texts/text.ts';

interface PageHeadProps {
  readonly intro: string;
  readonly children?: ComponentChildren;
}

export function PageHead({ intro, children }: PageHeadProps): VNode {
  return (
    <header class="page-head">
      <div>
        <h1 id="place-title" tabIndex={-1}>
          {text(`place.${place.value}`)}
        </h1>
        <p>{intro}</p>
      </div>
      {children}
    </header>
  );
}

export function AddButton({
  label,
  onClick,
}: {
  readonly label: string;
  readonly onClick: () => void;
}): VNode {
  return (
    <button type="button" class="button is-primary" onClick={onClick}>
      <Icon name="plus" />
      <span>{label}</span>
    </button>
  );
}
