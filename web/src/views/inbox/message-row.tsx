// A message in the list. The whole row opens it; the button that copies its code stands beside the link.
import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { MessageSummary } from '../../api/answers.ts';
import { isFresh } from '../../app/arrivals.ts';
import { chooseTo, chosenIn, toggleChosen } from '../../app/choosing.ts';
import { openMessage, openMessageId } from '../../app/navigation.ts';
import { marker } from '../../app/searching.ts';
import { tabStop } from '../../app/tab-stop.ts';
import { Icon } from '../../icons/icon.tsx';
import { locale, t } from '../../i18n/translate.ts';
import { coarseNow } from '../../state/clock.ts';
import { canChange, type Mailbox } from '../../state/mailbox.ts';
import { showSender } from '../../state/mail/shown-sender.ts';
import { formatAgo, formatFull, parseTimestamp } from '../../state/timestamp.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Monogram } from '../parts/monogram.tsx';

export interface MessageRowProps {
  readonly mailbox: Mailbox;
  readonly message: MessageSummary;
  /** Further down the list, a selection is shown a moment later. */
  readonly group?: number;
}

export function MessageRow({ mailbox, message, group = 0 }: MessageRowProps): VNode {
  const { id, is_read: isRead } = message;
  // The code above the list is not repeated in it.
  const isPinned = useComputed(() => mailbox.pinned.value?.id === id).value;
  const code = isPinned ? null : message.code;
  // Computed, so that only the rows that change are rendered again.
  const seen = useComputed(() => chosenIn(group).value?.has(id) ?? null);
  const isChoosing = seen.value !== null;
  const isChosen = seen.value === true;
  const row = useRef<HTMLLIElement>(null);
  // The link and the box replace each other, and the one that goes hands on the focus.
  const hadFocus = idAt(document.activeElement) === id;
  useLayoutEffect(() => {
    if (hadFocus) focusRow(row.current);
  }, [isChoosing]);
  const classes = [
    ...['row', !isRead && 'is-unread', isFresh(mailbox, id) && 'is-fresh'],
    ...[isChoosing && 'is-choosing', isChosen && 'is-chosen', mailbox.isCapture && 'is-addressed'],
  ];
  return (
    <li ref={row} class={classes.filter(Boolean).join(' ')} data-id={id}>
      {isChoosing ? (
        <RowBox mailbox={mailbox} message={message} isChosen={isChosen} />
      ) : (
        <RowLink mailbox={mailbox} message={message} />
      )}
      {code !== null && (
        <CopyButton
          class="code-chip"
          tabIndex={-1}
          text={code}
          label={code}
          name={t('inbox.copyCode', { code })}
          done={t('inbox.codeCopied', { code })}
        />
      )}
    </li>
  );
}

export function focusRow(row: Element | null | undefined): void {
  row?.querySelector<HTMLElement>('a, input')?.focus();
}

/** Returns the id of the message whose link or box the element belongs to; NaN outside of these. */
export function idAt(target: EventTarget | null): number {
  const row = target instanceof Element ? target.closest('.row-link')?.closest<HTMLElement>('.row') : null;
  return Number(row?.dataset['id'] ?? NaN);
}

function RowLink({ mailbox, message }: MessageRowProps): VNode {
  const { id } = message;
  const isOpen = useComputed(() => openMessageId.value === id).value;
  const isStop = useComputed(() => tabStop.value === id).value;
  return (
    <a
      class="row-link"
      href={`#message-${id}`}
      tabIndex={isStop ? 0 : -1}
      aria-current={isOpen ? 'true' : undefined}
      onClick={(event) => {
        event.preventDefault();
        const isSeveral = event.ctrlKey || event.metaKey || event.shiftKey;
        if (isSeveral && canChange(mailbox)) choose(event, mailbox, id);
        else openMessage(id);
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
  const isStop = useComputed(() => tabStop.value === id).value;
  return (
    <label class="row-link">
      <input
        type="checkbox"
        class="row-check"
        tabIndex={isStop ? 0 : -1}
        checked={isChosen}
        onClick={(event) => {
          choose(event, mailbox, id);
        }}
      />
      <RowWords mailbox={mailbox} message={message} />
    </label>
  );
}

/** Ctrl or Shift with a click selects several, as in other lists. */
function choose({ shiftKey }: MouseEvent, mailbox: Mailbox, id: number): void {
  if (shiftKey) chooseTo(mailbox, id);
  else toggleChosen(id);
}

function RowWords({ mailbox, message }: MessageRowProps): VNode {
  const { subject, preview } = message;
  const mark = marker.value?.mark ?? asIs;
  return (
    <>
      {!message.is_read && <span class="visually-hidden">{t('inbox.unread')}</span>}
      {mailbox.isCapture && <RowTo mailbox={mailbox} message={message} />}
      <span class="row-sender" dir="auto">
        {mark(showSender(message) || t('inbox.noSender'))}
      </span>
      <span class="row-end">
        {message.in_spam && <Mark icon="warning" words={t('inbox.spam')} />}
        {message.has_attachments !== false && (
          <Mark
            icon="clip"
            words={t(message.has_attachments ? 'inbox.attachment' : 'inbox.maybeAttachment')}
          />
        )}
        <RowTime at={parseTimestamp(message.received_at) - mailbox.skewMs} />
      </span>
      <span class="row-words">
        {!mailbox.isCapture && <RowTo mailbox={mailbox} message={message} />}
        <span class="row-subject" dir="auto">
          {mark(subject || t('inbox.noSubject'))}
        </span>
        {preview !== '' && (
          <span class="row-preview" dir="auto">
            {mark(preview)}
          </span>
        )}
      </span>
    </>
  );
}

function asIs(text: string): string {
  return text;
}

/** Apart from the rest of its row, which the clock then leaves as it is. */
function RowTime({ at }: { readonly at: number }): VNode {
  return (
    <time class="row-time" dateTime={new Date(at).toISOString()} title={formatFull(at, locale.value)}>
      {formatAgo(at, coarseNow.value, { language: locale.value, now: t('time.now') })}
    </time>
  );
}

/** The recipients of the envelope, since the header may name others, in a column; or else the plus tags of the address. */
function RowTo({ mailbox, message: { recipients = [], tags = [] } }: MessageRowProps): VNode | null {
  const { isCapture } = mailbox;
  const text = isCapture ? recipients.join(', ') : tags.map((tag) => `+${tag}`).join(' ');
  if (text === '') return null;
  return (
    <span class="row-to" title={text}>
      <span class="visually-hidden">{t(isCapture ? 'search.recipient' : 'search.tag')}: </span>
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
