// The newest code in a prominent place: above the list, and over an open message when it arrives meanwhile.
import type { VNode } from 'preact';

import type { MessageSummary } from '../../api/answers.ts';
import { dismissCode, lateCode } from '../../app/late-code.ts';
import { openMessageId } from '../../app/navigation.ts';
import { isPhone } from '../../app/screen.ts';
import { Icon } from '../../icons/icon.tsx';
import { locale, t } from '../../i18n/translate.ts';
import { coarseNow } from '../../state/clock.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { current } from '../../state/mailboxes.ts';
import { showSender } from '../../state/mail/shown-sender.ts';
import { formatAgo, parseTimestamp } from '../../state/timestamp.ts';
import { CodeWords } from '../parts/code-words.tsx';
import { CopyButton } from '../parts/copy-button.tsx';

export function NewestCode({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  const { value: newest } = mailbox.pinned;
  if (!newest || newest.code === null) return null;
  const { code } = newest;
  const at = parseTimestamp(newest.received_at) - mailbox.skewMs;
  const ago = formatAgo(at, coarseNow.value, { language: locale.value, now: t('time.now') });
  return (
    <div class="code-bar is-pinned">
      <div class="code-words">
        <span class="code-label">
          {t('inbox.newestCode')} · <bdi>{senderOf(newest)}</bdi> · {ago}
        </span>
        <CodeWords code={code} />
      </div>
      <CopyButton
        key={newest.id}
        class="button is-code"
        text={code}
        label={t('address.copyShort')}
        name={t('inbox.copyNewest', { code })}
        done={t('inbox.codeCopied', { code })}
      />
    </div>
  );
}

/** The code of a message that arrived while another was open, for when the list is hidden. */
export function CodeBanner(): VNode | null {
  const { value: late } = lateCode;
  if (!late) return null;
  const { mailbox, message, code } = late;
  const isInSight = !isPhone.value && mailbox === current.value;
  if (isInSight || openMessageId.value === null || openMessageId.value === message.id) return null;
  return (
    <section class="code-banner" aria-label={t('inbox.newestCode')}>
      <CodeWords code={code} />
      <bdi class="code-banner-sender">{senderOf(message)}</bdi>
      <CopyButton
        class="button is-code"
        text={code}
        label={t('address.copyShort')}
        name={t('inbox.copyNewest', { code })}
        done={t('inbox.codeCopied', { code })}
      />
      <button type="button" class="icon-button" aria-label={t('app.close')} onClick={dismissCode}>
        <Icon name="close" />
      </button>
    </section>
  );
}

function senderOf(message: MessageSummary): string {
  return showSender(message) || t('inbox.noSender');
}
