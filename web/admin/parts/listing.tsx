// Takes the place of a table while it loads, when it cannot be loaded, and when it has no rows.
import type { ComponentChildren, VNode } from 'preact';

import type { Answered } from '../state/use-answer.ts';
import { text } from '../texts/text.ts';
import { PlaceIcon, type PlaceIconName } from './place-icon.tsx';

interface ListingProps<A> {
  readonly asked: Answered<A>;
  readonly children: (answer: A) => ComponentChildren;
}

export function Listing<A>({ asked: { answer, problem, reload }, children }: ListingProps<A>): VNode {
  return (
    <>
      {problem !== '' && <Problem problem={problem} onRetry={() => void reload()} />}
      {answer === undefined ? problem === '' && <Ghosts /> : children(answer)}
    </>
  );
}

function Problem({ problem, onRetry }: { readonly problem: string; readonly onRetry: () => void }): VNode {
  return (
    <div class="listing-problem" role="alert">
      <p>{problem}</p>
      <button type="button" class="button" onClick={onRetry}>
        {text('app.retry')}
      </button>
    </div>
  );
}

function Ghosts(): VNode {
  return (
    <div class="listing-ghosts" aria-busy="true">
      <p class="visually-hidden">{text('app.loading')}</p>
      <span />
      <span />
      <span />
    </div>
  );
}

interface NothingProps {
  readonly icon: PlaceIconName;
  readonly title: string;
  readonly hint: string;
  readonly children?: ComponentChildren;
}

export function Nothing({ icon, title, hint, children }: NothingProps): VNode {
  return (
    <div class="empty">
      <div class="nothing-sign">
        <PlaceIcon name={icon} />
      </div>
      <h2>{title}</h2>
      <p>{hint}</p>
      {children}
    </div>
  );
}
