// The site's name, the list of addresses, and the actions common to them: at the side of a wide window, at the top of
// a narrow one.
import type { VNode } from 'preact';

import { createNow, isCreating } from '../../app/addresses.ts';
import { type DialogName, openDialog } from '../../app/navigation.ts';
import { inBackground } from '../../app/report-fault.ts';
import { isPhone } from '../../app/screen.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { Mark } from '../../icons/mark.tsx';
import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { current, mailboxes } from '../../state/mailboxes.ts';
import { lazyView } from '../parts/lazy.tsx';
import { Connection } from './connection.tsx';

const RailAddresses = lazyView(async () => (await import('./addresses.tsx')).RailAddresses);

/** Loads the list of several addresses, which the first view of a page with only one does not need. */
export async function prepareRail(): Promise<void> {
  if (mailboxes.value.length > 1) await RailAddresses.prepare();
}

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
      {all.length > 1 && <RailAddresses all={all} isSheet={isPhone.value} />}
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
          inBackground(RailAddresses.prepare());
        }}
      >
        <Icon name="plus" />
        <span>{t('address.new')}</span>
      </button>
      <RailButton class="new-options" icon="down" label={t('address.options')} opens="create" />
    </div>
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
