// Notices at the foot of the page, and the live region for screen readers.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { dismiss, isHeld, notices, spoken } from '../app/notices.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../i18n/translate.ts';

/** After a tap, a touch screen leaves `:hover` where the finger was. */
const reached = matchMedia('(hover: hover)').matches ? ':is(:hover, :focus-within)' : ':focus-within';

export function NoticesView(): VNode {
  const box = useRef<HTMLDivElement>(null);
  const { value: shown } = notices;
  // A notice that goes under the pointer, or with the focus, reports neither.
  useEffect(() => {
    isHeld.value = box.current?.matches(reached) ?? false;
  }, [shown]);
  return (
    <div
      ref={box}
      class="notices"
      role="status"
      onPointerEnter={({ pointerType }) => {
        if (pointerType === 'mouse') hold();
      }}
      onPointerLeave={look}
      onFocusIn={hold}
      onFocusOut={look}
    >
      {shown.map(({ id, text, kind, action }) => (
        <div key={id} class={`notice is-${kind}`}>
          <span class="notice-text">{text}</span>
          {action && (
            <button
              type="button"
              class="notice-action"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            class="icon-button"
            aria-label={t('app.close')}
            onClick={() => {
              dismiss(id);
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

function hold(): void {
  isHeld.value = true;
}

/** The pointer may go while the focus stays, or the other way round. */
function look({ currentTarget }: Event): void {
  // Once the browser has moved it.
  setTimeout(() => {
    isHeld.value = (currentTarget as HTMLElement).matches(reached);
  });
}

export function Spoken(): VNode {
  const { text, count } = spoken.value;
  return (
    <div class="visually-hidden" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
}
