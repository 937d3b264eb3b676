// The search field, which filters the list while typing. Shown with the first message: appearing with the second, it
// would move the list.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

import { Icon } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';
import { prepareSearch } from '../../app/searching.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { answerSearchKey } from '../parts/search-keys.ts';
import { lazyWithTexts } from '../parts/lazy.tsx';

const SearchChips = lazyWithTexts(async () => (await import('./search-chips.tsx')).SearchChips);

export function InboxSearch({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  const { query } = mailbox;
  // Stays: moving the list when the field loses the focus would make a click miss its row.
  const isSearching = useSignal(false);
  if (mailbox.shown.value.length === 0 && query.value === '') return null;
  return (
    <div class="search-box">
      <div class="search" role="search">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          aria-label={t('search.label')}
          placeholder={t('search.label')}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={query.value}
          onFocus={() => {
            prepareSearch();
            isSearching.value = true;
          }}
          onInput={(event) => {
            query.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            answerSearchKey(event, query, '.row-link');
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      {(isSearching.value || query.value !== '') && <SearchChips mailbox={mailbox} />}
    </div>
  );
}
