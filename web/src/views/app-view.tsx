// The whole page: the addresses, the list and the message side by side, and whatever lies over them.
import type { VNode } from 'preact';

import { dialog, isEnlarged, openMessageId } from '../app/navigation.ts';
import { reading } from '../app/reading.ts';
import { isPhone } from '../app/screen.ts';
import { t } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current } from '../state/mailboxes.ts';
import { CreateDialog } from './create-dialog.tsx';
import { EmptyInbox } from './empty-inbox.tsx';
import { EndDialog } from './end-dialog.tsx';
import { InboxView } from './inbox-view.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { lazyDialog } from './lazy.tsx';
import { LogDialog } from './log-dialog.tsx';
import { MessageView } from './message-view.tsx';
import { CodeBanner } from './newest-code.tsx';
import { NoticesView, Spoken } from './notices-view.tsx';
import { OfferDialog } from './offer-dialog.tsx';
import { Making, NoAddress, OverView } from './plain-states.tsx';
import { PictureDialog } from './picture-dialog.tsx';
import { Rail } from './rail.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';

const KeepDialog = lazyDialog(async () => (await import('./keep-dialog.tsx')).KeepDialog);
const LabelDialog = lazyDialog(async () => (await import('./label-dialog.tsx')).LabelDialog);

export function AppView(): VNode {
  const mailbox = current.value;
  const classes = ['app', reading.value && 'is-reading', reading.value && isEnlarged.value && 'is-enlarged'];
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <Rail />
      <main class="main">
        {!mailbox && <NoAddress />}
        {mailbox && (mailbox.isOver.value ? <OverView mailbox={mailbox} /> : <Lent mailbox={mailbox} />)}
        <CodeBanner />
      </main>
      <NoticesView />
      <Spoken />
      <Dialogs mailbox={mailbox && !mailbox.isOver.value ? mailbox : null} />
    </div>
  );
}

function Lent({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { value: open } = reading;
  return (
    <>
      <InboxView mailbox={mailbox} />
      <div class="reader">
        {open ? (
          <MessageView key={`${open.mailbox.token} ${open.id}`} reading={open} />
        ) : (
          !isPhone.value && <NothingOpen mailbox={mailbox} />
        )}
      </div>
    </>
  );
}

function NothingOpen({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  if (!mailbox.isListed.value) return <Making mailbox={mailbox} />;
  if (mailbox.shown.value.length === 0) return <EmptyInbox mailbox={mailbox} />;
  return <p class="reader-empty">{openMessageId.value === null ? t('inbox.pick') : ''}</p>;
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
    case 'keep':
      return <KeepDialog />;
    case 'label':
      return mailbox && <LabelDialog mailbox={mailbox} />;
    case 'share':
      return mailbox && <ShareDialog mailbox={mailbox} />;
    case 'end':
      return mailbox && <EndDialog mailbox={mailbox} />;
    case 'log':
      return mailbox && <LogDialog mailbox={mailbox} />;
    case 'picture':
      return <PictureDialog />;
    case null:
      return null;
  }
}
