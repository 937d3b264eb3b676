// Switches between the views of a message: as laid out, as text, header fields, or raw; for testers also its HTML.
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';

import { t } from '../../i18n/translate.ts';

const views = ['html', 'text', 'source', 'headers', 'raw'] as const;
export type ViewName = (typeof views)[number];

export interface MessageViewsProps {
  readonly view: Signal<ViewName>;
  readonly hasFrame: boolean;
  /** Offers the HTML as it was sent too. */
  readonly isForTesters: boolean;
}

export function MessageViews({ view, hasFrame, isForTesters }: MessageViewsProps): VNode {
  const offered = views.filter((name) => {
    if (name === 'html') return hasFrame;
    return name !== 'source' || (hasFrame && isForTesters);
  });
  return (
    <div class="tabs" role="tablist" aria-label={t('message.views')}>
      {offered.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          class="tab"
          aria-selected={view.value === name}
          aria-controls={view.value === name ? `panel-${name}` : undefined}
          tabIndex={view.value === name ? 0 : -1}
          onClick={() => {
            view.value = name;
          }}
          onKeyDown={moveByArrow}
        >
          {t(`message.tab.${name}` as const)}
        </button>
      ))}
    </div>
  );
}

/** An arrow key moves to the neighbouring tab and selects it (ARIA Authoring Practices, tabs). */
function moveByArrow(event: KeyboardEvent): void {
  const { currentTarget: from, key } = event;
  if (!(from instanceof HTMLElement) || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return;
  const isForward = (key === 'ArrowRight') === (document.documentElement.dir !== 'rtl');
  const to = isForward ? from.nextElementSibling : from.previousElementSibling;
  if (!(to instanceof HTMLElement)) return;
  event.preventDefault();
  to.focus();
  to.click();
}
