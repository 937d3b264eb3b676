// Notices at the foot of the page, and the live region for screen readers.
import type { VNode } from 'preact';

import { dismiss, notices, spoken } from '../app/notices.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../i18n/translate.ts';

export function NoticesView(): VNode {
  return (
    <div class="notices" role="status">
      {notices.value.map(({ id, text, kind, action }) => (
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

export function Spoken(): VNode {
  const { text, count } = spoken.value;
  return (
    <div class="visually-hidden" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
}
