// Filters mail by plus tag, with chips: `shop` for mail to `name+shop@`. Shown once a message has a tag.
import type { VNode } from 'preact';

import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { listTags } from '../../state/search.ts';

export function TagFilter({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  const { value: chosen } = mailbox.plusTag;
  const tags = listTags(mailbox.shown.value);
  if (tags.length === 0 && chosen === '') return null;
  // The tag's last message may be gone.
  const offered = chosen === '' || tags.includes(chosen) ? tags : [chosen, ...tags];
  return (
    <div class="tags" role="group" aria-label={t('search.tag')}>
      {['', ...offered].map((tag) => (
        <button
          key={tag}
          type="button"
          class="chip"
          aria-pressed={tag === chosen}
          onClick={() => {
            // A second press removes the filter.
            mailbox.plusTag.value = tag === chosen ? '' : tag;
          }}
        >
          {tag === '' ? t('search.allTags') : <bdi>+{tag}</bdi>}
        </button>
      ))}
    </div>
  );
}
