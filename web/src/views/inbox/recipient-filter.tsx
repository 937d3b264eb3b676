// Filters the mail of a capture session by recipient. Shown once there are two, and while one is selected.
import type { VNode } from 'preact';

import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { listRecipients } from '../../state/search.ts';

export function RecipientFilter({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  if (!mailbox.isCapture) return null;
  const { value: chosen } = mailbox.recipient;
  const recipients = listRecipients(mailbox.shown.value);
  if (recipients.length < 2 && chosen === '') return null;
  // The recipient's last message may be gone.
  const offered = chosen === '' || recipients.includes(chosen) ? recipients : [chosen, ...recipients];
  return (
    <div class="recipients">
      <select
        id="recipient"
        aria-label={t('search.recipient')}
        value={chosen}
        onChange={(event) => {
          mailbox.recipient.value = event.currentTarget.value;
        }}
      >
        <option value="">{t('search.allRecipients')}</option>
        {offered.map((recipient) => (
          <option key={recipient} value={recipient}>
            {recipient}
          </option>
        ))}
      </select>
    </div>
  );
}
