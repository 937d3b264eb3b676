// Narrows the search for those who do not type operators: each chip writes one into the field, or takes it out.
import type { VNode } from 'preact';

import { parseMailQuery } from '../../../../packages/mail-query/src/mail-query.ts';
import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';

const chips = [
  { operator: 'is:unread', label: 'search.chip.unread' },
  { operator: 'has:code', label: 'search.chip.code' },
  { operator: 'has:attachment', label: 'search.chip.attachment' },
] as const;

export function SearchChips({ mailbox: { query } }: { readonly mailbox: Mailbox }): VNode {
  return (
    <div class="tags" role="group" aria-label={t('search.chips')}>
      {chips.map(({ operator, label }) => {
        const isOn = holds(query.value, operator);
        return (
          <button
            key={operator}
            type="button"
            class="chip"
            aria-pressed={isOn}
            onClick={() => {
              query.value = isOn
                ? without(query.value, operator)
                : `${query.value.trimEnd()} ${operator} `.trimStart();
            }}
          >
            {t(label)}
          </button>
        );
      })}
    </div>
  );
}

type Operator = (typeof chips)[number]['operator'];

function holds(text: string, operator: Operator): boolean {
  const { is, has } = parseMailQuery(text);
  return [...is.map((state) => `is:${state}`), ...has.map((thing) => `has:${thing}`)].includes(operator);
}

/** However the reader wrote it. */
function without(text: string, operator: Operator): string {
  const [name = '', value = ''] = operator.split(':');
  const written = new RegExp(`(^|\\s)${name}[:：]\\s*["“”]?${value}s?["“”]?(?=\\s|$)`, 'giu');
  return text.replace(written, '$1').replace(/\s+/g, ' ').trimStart();
}
