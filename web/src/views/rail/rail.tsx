// The site's name, the list of addresses, and the actions common to them: at the side of a wide window, at the top of
// a narrow one.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { switchAddress } from '../../app/addresses.ts';
import { type DialogName, openDialog } from '../../app/navigation.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { Mark } from '../../icons/mark.tsx';
import { t, tn } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { findAddresses } from '../../state/addresses/find-addresses.ts';
import { current, mailboxes } from '../../state/mailboxes.ts';
import { AddressSearch } from './address-search.tsx';
import { Connection } from './connection.tsx';
import { TimeRing } from './time-ring.tsx';

/** The most that can be seen at a glance. */
const fewAddresses = 5;

export function Rail(): VNode {
  const { value: all } = mailboxes;
  return (
    <header class="rail">
      <SkipLink />
      <h1 class="brand">
        <Mark />
        <span>{t('app.name')}</span>
      </h1>
      {all.length > 0 && <Addresses all={all} />}
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

function Addresses({ all }: { readonly all: readonly Mailbox[] }): VNode {
  const query = useSignal('');
  const isMany = all.length > fewAddresses || query.value !== '';
  const found = isMany ? findAddresses(all, query.value) : all;
  return (
    <nav class={`addresses${all.length === 1 ? ' is-single' : ''}`} aria-label={t('switcher.label')}>
      {isMany && <AddressSearch query={query} />}
      {found.length === 0 && (
        <p class="search-none" role="status">
          {t('switcher.none')}
        </p>
      )}
      <ul>
        {found.map((mailbox) => (
          <li key={mailbox.token}>
            <Entry mailbox={mailbox} isCurrent={mailbox === current.value} />
          </li>
        ))}
      </ul>
    </nav>
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
        // The fragment belongs to the open message, so the link must not change it.
        event.preventDefault();
        document.querySelector<HTMLElement>('#messages')?.focus();
      }}
    >
      {t('app.skip')}
    </a>
  );
}

function Entry({ mailbox, isCurrent }: { readonly mailbox: Mailbox; readonly isCurrent: boolean }): VNode {
  const { email, token, unread, isOver, smtp, label } = mailbox;
  const button = useRef<HTMLButtonElement>(null);
  const at = email.lastIndexOf('@');
  const own = smtp === undefined ? email.slice(0, at) : t('dev.name');
  const name = label.value || own;
  const place = smtp ?? (label.value === '' ? email.slice(at) : email);
  useEffect(() => {
    // Scrolls the row horizontally and leaves the page where it is.
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
        <bdi class="address-local">{name}</bdi>
        <span class="address-domain">{isOver.value ? t('switcher.over') : place}</span>
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
