// Placeholder rows for an empty or loading list.
import type { VNode } from 'preact';

import { t } from '../../i18n/translate.ts';

export function GhostRows({ isLoading }: { readonly isLoading: boolean }): VNode {
  return (
    <div class={`ghosts${isLoading ? ' is-loading' : ''}`}>
      {isLoading && <span class="visually-hidden">{t('app.loading')}</span>}
      {[0, 1, 2, 3, 4, 5].map((at) => (
        <div key={at} class="ghost" aria-hidden="true">
          <span class="ghost-sign" />
          <span class="ghost-line" />
          <span class="ghost-line is-long" />
        </div>
      ))}
    </div>
  );
}
