// The list of addresses, and on a phone the button that opens it in a sheet: for a page with several, and loaded with the
// second.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { switchAddress } from '../../app/addresses.ts';
import { closeDialog, openDialog } from '../../app/navigation.ts';
import { t, tn } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { findAddresses } from '../../state/addresses/find-addresses.ts';
import { current } from '../../state/mailboxes.ts';
import '../../style-addresses.ts';
import { lazyView } from '../parts/lazy.tsx';
import { TimeRing } from './time-ring.tsx';

const AddressSearch = lazyView(async () => (await import('./address-search.tsx')).AddressSearch);

/** The most that can be seen at a glance. */
const fewAddresses = 5;

export interface RailAddressesProps {
  readonly all: readonly Mailbox[];
  readonly isSheet: boolean;
}

export function RailAddresses({ all, isSheet }: RailAddressesProps): VNode {
  return isSheet ? <SheetButton all={all} /> : <Addresses all={all} />;
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
