// Several addresses side by side: one button each, with what is unread. Shown from the second address on.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { switchAddress } from '../app/addresses.ts';
import { openDialog } from '../app/navigation.ts';
import { Icon } from '../icons/icon.tsx';
import { t, tn } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current, mailboxes } from '../state/mailboxes.ts';

export function Switcher(): VNode | null {
  if (mailboxes.value.length < 2) return null;
  return (
    <nav class="switcher" aria-label={t('switcher.label')}>
      <ul>
        {mailboxes.value.map((mailbox) => (
          <li key={mailbox.token}>
            <Entry mailbox={mailbox} isCurrent={mailbox === current.value} />
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="icon-button"
        aria-label={t('address.new')}
        title={t('address.new')}
        onClick={() => {
          openDialog('create');
        }}
      >
        <Icon name="plus" />
      </button>
    </nav>
  );
}

function Entry({ mailbox, isCurrent }: { readonly mailbox: Mailbox; readonly isCurrent: boolean }): VNode {
  const { email, token, unread, isOver } = mailbox;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Along the row alone: the page itself stays where it is.
    if (isCurrent) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isCurrent, unread.value]);
  return (
    <button
      ref={button}
      type="button"
      class="switcher-entry"
      aria-current={isCurrent ? 'true' : undefined}
      title={email}
      onClick={() => {
        switchAddress(token);
      }}
    >
      <bdi class="switcher-name">{email.slice(0, email.lastIndexOf('@'))}</bdi>
      {isOver.value && <span class="switcher-over">{t('switcher.over')}</span>}
      {unread.value > 0 && (
        <span class="badge">
          <span aria-hidden="true">{unread.value}</span>
          <span class="visually-hidden">{tn('switcher.unread', unread.value)}</span>
        </span>
      )}
    </button>
  );
}
