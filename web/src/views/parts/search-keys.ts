// The keys of a search field, the same in every list. Used by inbox-search.tsx and address-search.tsx.

import type { Signal } from '@preact/signals';

/**
 * Escape clears the search and leaves the field; Enter and the down arrow go to the first that was found.
 * @param first selects what is found
 */
export function answerSearchKey(
  event: KeyboardEvent & { readonly currentTarget: HTMLElement },
  query: Signal<string>,
  first: string,
): void {
  if (event.key === 'Escape') {
    event.preventDefault();
    query.value = '';
    event.currentTarget.blur();
  } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
    event.preventDefault();
    document.querySelector<HTMLElement>(first)?.focus();
  }
}
