// The site's name, the list of addresses, and the actions common to them: at the side of a wide window, at the top of
// a narrow one.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { createNow, isCreating, switchAddress } from '../../app/addresses.ts';
import { closeDialog, type DialogName, openDialog } from '../../app/navigation.ts';
import { inBackground } from '../../app/report-fault.ts';
import { isPhone } from '../../app/screen.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { Mark } from '../../icons/mark.tsx';
import { t, tn } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { findAddresses } from '../../state/addresses/find-addresses.ts';
import { current, mailboxes } from '../../state/mailboxes.ts';
import { lazyView } from '../parts/lazy.tsx';
import { Connection } from './connection.tsx';
import { TimeRing } from './time-ring.tsx';

const AddressSearch = lazyView(async () => (await import('./address-search.tsx')).AddressSearch);

/** The most that can be seen at a glance. */
const fewAddresses = 5;

export function Rail(): VNode {
  return <RailOf all={mailboxes.value} />;
}

/** With one address there is nothing to choose from: the rail is folded. */
export function RailOf({ all }: { readonly all: readonly Mailbox[] }): VNode {
  return (
    <header class={`rail${all.length > 1 ? '' : ' is-folded'}`}>
      <SkipLink />
      <h1 class="brand">
        <Mark />
        <span>{t('app.name')}</span>
      </h1>
      {all.length > 1 && isPhone.value && <SheetButton all={all} />}
      {all.length > 1 && !isPhone.value && <Addresses all={all} />}
      <NewAddress />
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

/** One tap makes an address; what can be chosen about it is behind the caret. */
function NewAddress(): VNode {
  return (
    <div class="new-address">
      <button
        type="button"
        class="rail-button"
        aria-label={t('address.new')}
        title={t('address.new')}
        aria-disabled={isCreating.value}
        onClick={() => {
          inBackground(createNow());
        }}
      >
        <Icon name="plus" />
        <span>{t('address.new')}</span>
      </button>
      <RailButton class="new-options" icon="down" label={t('address.options')} opens="create" />
    </div>
  );
}

/** On a phone the addresses are in a sheet over the page. */
function SheetButton({ all }: { readonly all: readonly Mailbox[] }): VNode {
  const mailbox = current.value;
  const elsewhere = all.reduce((sum, one) => (one === mailbox ? sum : sum + one.unread.value), 0);
  return (
    <button
      type="button"
      class="icon-button sheet-button"
      aria-haspopup="dialog"
      title={t('switcher.label')}
      onClick={() => {
        openDialog('addresses');
      }}
    >
      {mailbox && <TimeRing mailbox={mailbox} />}
      <span class="visually-hidden">{t('switcher.label')}</span>
      <UnreadBadge count={elsewhere} />
    </button>
  );
}

export function Addresses({ all }: { readonly all: readonly Mailbox[] }): VNode {
  const query = useSignal('');
  const isMany = all.length > fewAddresses || query.value !== '';
  const found = isMany ? findAddresses(all, query.value) : all;
  return (
    <nav class="addresses" aria-label={t('switcher.label')}>
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
        closeDialog();
      }}
    >
      <TimeRing mailbox={mailbox} />
      <bdi class="address-name">
        <bdi class="address-local">{name}</bdi>
        <span class="address-domain">{isOver.value ? t('switcher.over') : place}</span>
      </bdi>
      <UnreadBadge count={unread.value} />
    </button>
  );
}

function UnreadBadge({ count }: { readonly count: number }): VNode | null {
  if (count === 0) return null;
  return (
    <span class="badge">
      <span aria-hidden="true">{count}</span>
      <span class="visually-hidden">{tn('switcher.unread', count)}</span>
    </span>
  );
}
