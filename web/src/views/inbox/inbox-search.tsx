// The search field, which filters the list while typing. Shown with the first message: appearing with the second, it
// would move the list.
import type { VNode } from 'preact';

import { Icon } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';

export function InboxSearch({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  const { query } = mailbox;
  if (mailbox.shown.value.length === 0 && query.value === '') return null;
  return (
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
        onInput={(event) => {
          query.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            // Leaves the field and clears the search.
            event.preventDefault();
            query.value = '';
            event.currentTarget.blur();
          } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault();
            document.querySelector<HTMLElement>('.row-link')?.focus();
          }
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
