// The whole page: bar, address, list and message, and whatever lies over them.
import type { VNode } from 'preact';

import { dialog, openMessageId } from '../app/navigation.ts';
import { reading } from '../app/reading.ts';
import { t } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current } from '../state/mailboxes.ts';
import { AddressCard } from './address-card.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { EndDialog } from './end-dialog.tsx';
import { InboxView } from './inbox-view.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { LogDialog } from './log-dialog.tsx';
import { MessageView } from './message-view.tsx';
import { OfferDialog } from './offer-dialog.tsx';
import { NoticesView, Spoken } from './notices-view.tsx';
import { NoAddress, OverView } from './plain-states.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';
import { Switcher } from './switcher.tsx';
import { TopBar } from './top-bar.tsx';

export function AppView(): VNode {
  const mailbox = current.value;
  const isReading = reading.value !== null;
  return (
    <div class={`app${isReading ? ' is-reading' : ''}`}>
      <TopBar />
      <main class="main">
        <Switcher />
        {!mailbox && <NoAddress />}
        {mailbox && (mailbox.isOver.value ? <OverView mailbox={mailbox} /> : <Lent mailbox={mailbox} />)}
      </main>
      <NoticesView />
      <Spoken />
      <Dialogs mailbox={mailbox && !mailbox.isOver.value ? mailbox : null} />
    </div>
  );
}

function Lent({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { value: open } = reading;
  const isEmpty = mailbox.shown.value.length === 0 && !open;
  return (
    <>
      <AddressCard mailbox={mailbox} />
      <div id="messages" class={`panes${isEmpty ? ' is-empty' : ''}`} tabIndex={-1}>
        <InboxView mailbox={mailbox} />
        {!isEmpty && (
          <div class="reader">
            {open ? (
              <MessageView key={`${open.mailbox.token} ${open.id}`} reading={open} />
            ) : (
              <p class="reader-empty">{openMessageId.value === null ? t('inbox.pick') : ''}</p>
            )}
          </div>
        )}
      </div>
    </>
  );
}

function Dialogs({ mailbox }: { readonly mailbox: Mailbox | null }): VNode | null {
  switch (dialog.value) {
    case 'create':
      return <CreateDialog />;
    case 'offer':
      return <OfferDialog />;
    case 'settings':
      return <SettingsDialog />;
    case 'keys':
      return <KeysDialog />;
    case 'share':
      return mailbox && <ShareDialog mailbox={mailbox} />;
    case 'end':
      return mailbox && <EndDialog mailbox={mailbox} />;
    case 'log':
      return mailbox && <LogDialog mailbox={mailbox} />;
    case null:
      return null;
  }
}
