// Filters the addresses of the rail. Shown once there are too many to see at a glance.
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';

import { Icon } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';
import { answerSearchKey } from '../parts/search-keys.ts';

export function AddressSearch({ query }: { readonly query: Signal<string> }): VNode {
  return (
    <div class="search address-search" role="search" aria-label={t('switcher.label')}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={t('switcher.search')}
        placeholder={t('switcher.search')}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          answerSearchKey(event, query, '.address-entry');
        }}
      />
    </div>
  );
}
