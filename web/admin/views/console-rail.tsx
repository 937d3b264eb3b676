// The sections, and how the service is: a column beside a wide window, a line above a narrow one.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Mark } from '../../src/icons/mark.tsx';
import type { Status } from '../api/answers.ts';
import { PlaceIcon } from '../parts/place-icon.tsx';
import { forgetSignIn } from '../state/signed-in.ts';
import { place, places } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { text } from '../texts/text.ts';

export function ConsoleRail(): VNode {
  return (
    <header class="console-rail">
      <div class="console-brand">
        <Mark />
        <p>
          {text('app.name')}
          <span>{text('app.operator')}</span>
        </p>
      </div>
      <Places />
      <div class="console-foot">
        <Health />
        <button
          type="button"
          class="rail-button console-leave"
          title={text('app.signOut')}
          onClick={() => {
            forgetSignIn();
          }}
        >
          <PlaceIcon name="leave" />
          <span>{text('app.signOut')}</span>
        </button>
      </div>
    </header>
  );
}

function Places(): VNode {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [place.value]);
  return (
    <nav class="console-places" aria-label={text('app.places')}>
      <ul ref={list}>
        {places.map((one) => (
          <li key={one}>
            <a
              class="console-place"
              href={`#/${one}`}
              aria-current={one === place.value ? 'page' : undefined}
            >
              <PlaceIcon name={one} />
              <span>{text(`place.${one}`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Health(): VNode {
  const { answer, problem } = useAnswer<Status>('status');
  const [state, words] =
    problem !== ''
      ? ['is-offline', text('app.away')]
      : answer === undefined
        ? ['is-connecting', text('app.loading')]
        : answer.ready
          ? ['is-live', text('app.ready')]
          : ['is-waiting', text('app.notReady')];
  return (
    <div class="console-health">
      <p class={`connection ${state}`} title={problem || (answer?.reason ?? undefined)}>
        <span class="connection-dot" />
        <span>{words}</span>
      </p>
      {answer && <p class="console-version">{text('app.version', { version: answer.version })}</p>}
    </div>
  );
}
