// Whose page it is, the addresses side by side, and what is for all of them: at the side of a wide window, at the head of
// a narrow one.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { switchAddress } from '../app/addresses.ts';
import { type DialogName, openDialog } from '../app/navigation.ts';
import { Icon, type IconName } from '../icons/icon.tsx';
import { t, tn } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current, mailboxes } from '../state/mailboxes.ts';
import { Connection } from './connection.tsx';
import { TimeRing } from './time-ring.tsx';

export function Rail(): VNode {
  const { value: all } = mailboxes;
  return (
    <header class="rail">
      <SkipLink />
      <h1 class="brand">
        <Icon name="mayfly" />
        <span>{t('app.name')}</span>
      </h1>
      {all.length > 0 && (
        <nav class={`addresses${all.length === 1 ? ' is-single' : ''}`} aria-label={t('switcher.label')}>
          <ul>
            {all.map((mailbox) => (
              <li key={mailbox.token}>
                <Entry mailbox={mailbox} isCurrent={mailbox === current.value} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      <RailButton class="new-address" icon="plus" label={t('address.new')} opens="create" />
      <div class="rail-foot">
        <Connection />
        <RailButton icon="settings" label={t('app.settings')} opens="settings" />
        <RailButton class="only-wide" icon="keyboard" label={t('app.shortcuts')} opens="keys" />
        <a class="rail-button only-wide" href="./docs" title={t('app.docs')}>
          <Icon name="code" />
          <span>{t('app.docs')}</span>
        </a>
      </div>
    </header>
  );
}

interface RailButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly opens: DialogName;
  readonly class?: string;
}

function RailButton({ icon, label, opens, class: more = '' }: RailButtonProps): VNode {
  return (
    <button
      type="button"
      class={`rail-button ${more}`}
      aria-label={label}
      title={label}
      onClick={() => {
        openDialog(opens);
      }}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

function SkipLink(): VNode | null {
  const mailbox = current.value;
  if (!mailbox || mailbox.isOver.value) return null;
  return (
    <a
      class="skip-link"
      href="#messages"
      onClick={(event) => {
        // What stands in the address bar is which message is open.
        event.preventDefault();
        document.querySelector<HTMLElement>('#messages')?.focus();
      }}
    >
      {t('app.skip')}
    </a>
  );
}

function Entry({ mailbox, isCurrent }: { readonly mailbox: Mailbox; readonly isCurrent: boolean }): VNode {
  const { email, token, unread, isOver, smtp } = mailbox;
  const button = useRef<HTMLButtonElement>(null);
  const at = email.lastIndexOf('@');
  useEffect(() => {
    // Along the row alone: the page itself stays where it is.
    if (isCurrent) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isCurrent, unread.value]);
  return (
    <button
      ref={button}
      type="button"
      class="address-entry"
      aria-current={isCurrent ? 'true' : undefined}
      title={smtp ?? email}
      onClick={() => {
        switchAddress(token);
      }}
    >
      <TimeRing mailbox={mailbox} />
      <bdi class="address-name">
        <span class="address-local">{smtp === undefined ? email.slice(0, at) : t('dev.name')}</span>
        <span class="address-domain">{isOver.value ? t('switcher.over') : (smtp ?? email.slice(at))}</span>
      </bdi>
      {unread.value > 0 && (
        <span class="badge">
          <span aria-hidden="true">{unread.value}</span>
          <span class="visually-hidden">{tn('switcher.unread', unread.value)}</span>
        </span>
      )}
    </button>
  );
}
