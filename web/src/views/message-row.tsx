// A message in the list. The whole row opens it; the button that copies its code stands beside the link.
import { useComputed } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { MessageSummary } from '../api/answers.ts';
import { isFresh, settle } from '../app/arrivals.ts';
import { chooseTo, isChoosingFar, isChoosingNear, toggleChosen } from '../app/choosing.ts';
import { prefetchSoon } from '../app/prefetching.ts';
import { chosen, openMessage, openMessageId, selectedId } from '../app/navigation.ts';
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
  /** Down the list, where a selection may begin a moment later. */
  readonly isFar?: boolean;
}

export function MessageRow({ mailbox, message, isFar = false }: MessageRowProps): VNode {
  const { id, is_read: isRead, code } = message;
  const isChoosing = (isFar ? isChoosingFar : isChoosingNear).value;
  // Computed, so that only the rows that change are rendered again.
  const isChosen = useComputed(() => chosen.value?.has(id) ?? false).value;
  const classes = [
    ...['row', !isRead && 'is-unread', isFresh(mailbox, id) && 'is-fresh'],
    ...[isChoosing && 'is-choosing', isChosen && 'is-chosen'],
  ];
  return (
    <li
      class={classes.filter(Boolean).join(' ')}
      data-id={id}
      onAnimationEnd={({ currentTarget }) => {
        settle(mailbox, id);
        // Not by rendering, which would keep the row's former nodes until the list is rendered.
        currentTarget.classList.remove('is-fresh');
      }}
    >
      {isChoosing ? (
        <RowBox mailbox={mailbox} message={message} isChosen={isChosen} />
      ) : (
        <RowLink mailbox={mailbox} message={message} />
      )}
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

/** Moves the browser's focus along with the keyboard's position, unless an open message has it. */
function useRowFocus<T extends HTMLElement>({
  mailbox,
  message: { id },
}: MessageRowProps): { ref: RefObject<T | null>; onFocus: () => void } {
  const ref = useRef<T>(null);
  const isSelected = useComputed(() => selectedId.value === id).value;
  useLayoutEffect(() => {
    if (isSelected && openMessageId.peek() === null) ref.current?.focus();
  }, [isSelected]);
  const onFocus = (): void => {
    selectedId.value = id;
    prefetchSoon(mailbox, id);
  };
  return { ref, onFocus };
}

function RowLink({ mailbox, message }: MessageRowProps): VNode {
  const { id } = message;
  const isOpen = useComputed(() => openMessageId.value === id).value;
  return (
    <a
      {...useRowFocus<HTMLAnchorElement>({ mailbox, message })}
      class="row-link"
      href={`#message-${id}`}
      aria-current={isOpen ? 'true' : undefined}
      onClick={(event) => {
        event.preventDefault();
        choose(event, mailbox, id);
      }}
    >
      <Monogram sender={message} />
      <RowWords mailbox={mailbox} message={message} />
    </a>
  );
}

/** While several are being selected, the row is the label of its box. */
function RowBox({ mailbox, message, isChosen }: MessageRowProps & { readonly isChosen: boolean }): VNode {
  const { id } = message;
  return (
    <label class="row-link">
      <input
        {...useRowFocus<HTMLInputElement>({ mailbox, message })}
        type="checkbox"
        class="row-check"
        checked={isChosen}
        onClick={(event) => {
          if (event.shiftKey) chooseTo(mailbox, id);
          else toggleChosen(id);
        }}
      />
      <RowWords mailbox={mailbox} message={message} />
    </label>
  );
}

/** Ctrl or Shift with a click selects several, as in other lists. */
function choose(event: MouseEvent, mailbox: Mailbox, id: number): void {
  const isSeveral = event.ctrlKey || event.metaKey || event.shiftKey;
  if (!isSeveral || mailbox.isReadOnly) openMessage(id);
  else if (event.shiftKey) chooseTo(mailbox, id);
  else toggleChosen(id);
}

function RowWords({ mailbox, message }: MessageRowProps): VNode {
  const { subject, preview } = message;
  return (
    <>
      {!message.is_read && <span class="visually-hidden">{t('inbox.unread')}</span>}
      <span class="row-sender" dir="auto">
        {showSender(message) || t('inbox.noSender')}
      </span>
      <span class="row-end">
        {message.in_spam && <Mark icon="warning" words={t('inbox.spam')} />}
        {message.has_attachments && <Mark icon="clip" words={t('inbox.attachment')} />}
        <RowTime at={parseTimestamp(message.received_at) - mailbox.skewMs} />
      </span>
      <span class="row-words">
        {mailbox.isCapture ? <Recipients message={message} /> : <Tags message={message} />}
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

/** Apart from the rest of its row, which the clock then leaves as it is. */
function RowTime({ at }: { readonly at: number }): VNode {
  return (
    <time class="row-time" dateTime={new Date(at).toISOString()} title={formatFull(at, locale.value)}>
      {formatAgo(at, coarseNow.value, { language: locale.value, now: t('time.now') })}
    </time>
  );
}

/** The recipients of the envelope, since the header may name others. */
function Recipients({ message: { recipients = [] } }: Pick<MessageRowProps, 'message'>): VNode {
  const text = recipients.join(', ');
  return (
    <span class="row-to" title={text}>
      <span class="visually-hidden">{t('search.recipient')}: </span>
      <bdi>{text}</bdi>
    </span>
  );
}

/** The plus tags of the message's recipients. */
function Tags({ message: { tags = [] } }: Pick<MessageRowProps, 'message'>): VNode | null {
  if (tags.length === 0) return null;
  return (
    <span class="row-to">
      <span class="visually-hidden">{t('search.tag')}: </span>
      <bdi>{tags.map((tag) => `+${tag}`).join(' ')}</bdi>
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
