// The whole page: addresses, list and message side by side, and the overlays.
import { effect } from '@preact/signals';
import type { VNode } from 'preact';

import { atFirstSign } from '../app/first-sign.ts';
import { dialog, isEnlarged, openMessageId } from '../app/navigation.ts';
import { reading } from '../app/reading.ts';
import { reportError } from '../app/report-fault.ts';
import { isPhone } from '../app/screen.ts';
import { t } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current } from '../state/mailboxes.ts';
import { EmptyInbox } from './inbox/empty-inbox.tsx';
import { InboxView } from './inbox/inbox-view.tsx';
import { lazyDialog, lazyView } from './parts/lazy.tsx';
import { CodeBanner } from './inbox/newest-code.tsx';
import { NoticesView, Spoken } from './notices-view.tsx';
import { Making, NoAddress, OverView } from './inbox/plain-states.tsx';
import { Rail } from './rail/rail.tsx';

const MessageView = lazyView(
  async () => (await import('./reader/message-view.tsx')).MessageView,
  reportError,
);
const Dialogs = lazyDialog(async () => (await import('./dialogs/dialogs.tsx')).Dialogs);

/** Loads the reader once the first list is shown, and the dialogs at the first sign of a person. */
export function prepareViews(): void {
  const stop = effect(() => {
    if (current.value?.isListed.value !== true) return;
    setTimeout(() => {
      stop();
      void MessageView.prepare();
    });
  });
  atFirstSign(() => void Dialogs.prepare());
}

export function AppView(): VNode {
  const mailbox = current.value;
  const classes = ['app', reading.value && 'is-reading', reading.value && isEnlarged.value && 'is-enlarged'];
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <Rail />
      <main class="main">
        {!mailbox && <NoAddress />}
        {mailbox && (hasLeft(mailbox) ? <OverView mailbox={mailbox} /> : <Lent mailbox={mailbox} />)}
        <CodeBanner />
      </main>
      <NoticesView />
      <Spoken />
      {dialog.value !== null && <Dialogs mailbox={mailbox && !mailbox.isOver.value ? mailbox : null} />}
    </div>
  );
}

/** An ended address with mail on the screen is shown on until the reader leaves it. */
function hasLeft({ isOver, shown }: Mailbox): boolean {
  return isOver.value && shown.value.length === 0;
}

function Lent({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { value: open } = reading;
  return (
    <>
      <InboxView mailbox={mailbox} />
      {/* Focusable, so that keys come from here after a click into the text and while a message is loading. */}
      <div class="reader" tabIndex={-1}>
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
