// One message in the list. The whole row opens it; the code in it is a button of its own, beside the link.
import { useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { MessageSummary } from '../api/answers.ts';
import { isFresh, settle } from '../app/arrivals.ts';
import { openMessage, openMessageId, selectedId } from '../app/navigation.ts';
import { Icon } from '../icons/icon.tsx';
import { locale, t } from '../i18n/translate.ts';
import { coarseNow } from '../state/clock.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { showSender } from '../state/shown-sender.ts';
import { formatAgo, formatFull, parseTimestamp } from '../state/timestamp.ts';
import { CopyButton } from './copy-button.tsx';
import { Monogram } from './monogram.tsx';

export interface MessageRowProps {
  readonly mailbox: Mailbox;
  readonly message: MessageSummary;
}

export function MessageRow({ mailbox, message }: MessageRowProps): VNode {
  const { id, is_read: isRead, code } = message;
  const link = useRef<HTMLAnchorElement>(null);
  // Computed, so that of all rows only those are drawn anew for which it changes.
  const isSelected = useComputed(() => selectedId.value === id).value;
  const isOpen = useComputed(() => openMessageId.value === id).value;
  useLayoutEffect(() => {
    // The keyboard's place is the browser's too, but an open message has the focus itself.
    if (isSelected && openMessageId.peek() === null) link.current?.focus({ preventScroll: false });
  }, [isSelected]);
  const isNew = useSignal(isFresh(mailbox, id));
  const classes = ['row', isRead ? '' : 'is-unread', isNew.value ? 'is-fresh' : ''];
  return (
    <li
      class={classes.filter(Boolean).join(' ')}
      data-id={id}
      onAnimationEnd={() => {
        isNew.value = false;
        settle(mailbox, id);
      }}
    >
      <a
        ref={link}
        class="row-link"
        href={`#message-${id}`}
        aria-current={isOpen ? 'true' : undefined}
        onClick={(event) => {
          event.preventDefault();
          openMessage(id);
        }}
        onFocus={() => {
          selectedId.value = id;
        }}
      >
        <Monogram sender={message} />
        {!isRead && <span class="visually-hidden">{t('inbox.unread')}</span>}
        <RowWords mailbox={mailbox} message={message} />
      </a>
      {code !== null && (
        <CopyButton
          class="code-chip"
          text={code}
          label={code}
          name={t('inbox.copyCode', { code })}
          done={t('inbox.codeCopied', { code })}
        />
      )}
    </li>
  );
}

function RowWords({ mailbox, message }: MessageRowProps): VNode {
  const { subject, preview } = message;
  const at = parseTimestamp(message.received_at) - mailbox.skewMs;
  return (
    <>
      <span class="row-sender" dir="auto">
        {showSender(message) || t('inbox.noSender')}
      </span>
      <span class="row-end">
        {message.in_spam && <Mark icon="warning" words={t('inbox.spam')} />}
        {message.has_attachments && <Mark icon="clip" words={t('inbox.attachment')} />}
        <time class="row-time" dateTime={new Date(at).toISOString()} title={formatFull(at, locale.value)}>
          {formatAgo(at, coarseNow.value, { language: locale.value, now: t('time.now') })}
        </time>
      </span>
      <span class="row-words">
        {mailbox.isCapture && <Recipients message={message} />}
        <span class="row-subject" dir="auto">
          {subject || t('inbox.noSubject')}
        </span>
        {preview !== '' && (
          <span class="row-preview" dir="auto">
            {preview}
          </span>
        )}
      </span>
    </>
  );
}

/** As they stand in the envelope: the header may name others. */
function Recipients({ message: { recipients = [] } }: Pick<MessageRowProps, 'message'>): VNode {
  const text = recipients.join(', ');
  return (
    <span class="row-to" title={text}>
      <span class="visually-hidden">{t('search.recipient')}: </span>
      <bdi>{text}</bdi>
    </span>
  );
}

function Mark({ icon, words }: { readonly icon: 'warning' | 'clip'; readonly words: string }): VNode {
  return (
    <span class="row-mark" title={words}>
      <Icon name={icon} />
      <span class="visually-hidden">{words}</span>
    </span>
  );
}
